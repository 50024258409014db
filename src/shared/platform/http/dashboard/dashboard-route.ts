import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { DashboardAction, SessionStage } from '#shared/kernel/dashboard-access.js';
import { GUARD_FIELDS, OwnRate, Public, RawAnswer } from '../callers/route-markers.js';
import { DASHBOARD_ACTS, type DashboardActName } from './dashboard-acts.js';

export const DASHBOARD_ROUTE = 'route:dashboard';

export interface DashboardMark {
  /** `enter`: on the way in, without a session. */
  readonly action: DashboardAction | 'enter';
  readonly stages: readonly SessionStage[];
  /** The act of the route; absent where it only shows. */
  readonly act?: DashboardActName;
}

/**
 * A page of the dashboard: no credential opens it, a person's session with a role for the action does.
 * @param stages of signing in at which it can be reached; only the last by default
 */
export const DashboardRoute = (action: DashboardAction, stages: readonly SessionStage[] = ['signed_in']) =>
  dashboardRoute({ action, stages });

/** A page on the way in, for anybody. */
export const DashboardEntry = () => dashboardRoute({ action: 'enter', stages: [] });

/**
 * A form of the dashboard, by the table of acts: which roles may send it, and what it takes of the second factor. Without
 * this mark a form is refused. @param stages as of `DashboardRoute`; of no meaning on the way in
 */
export const DashboardAct = (act: DashboardActName, stages: readonly SessionStage[] = ['signed_in']) =>
  dashboardRoute({ action: DASHBOARD_ACTS[act].action, stages, act });

function dashboardRoute(mark: DashboardMark) {
  const takesCode = mark.act !== undefined && DASHBOARD_ACTS[mark.act].factor === 'fresh';
  return applyDecorators(
    SetMetadata(DASHBOARD_ROUTE, mark),
    SetMetadata(GUARD_FIELDS, takesCode ? ['code'] : []),
    ApiExcludeEndpoint(),
    Public(),
    RawAnswer(),
    // The guard of the dashboard counts by session.
    ...(mark.action === 'enter' ? [] : [OwnRate()]),
  );
}
