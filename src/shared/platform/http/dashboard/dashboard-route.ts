import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { Public, RawAnswer } from '../callers/route-markers.js';
import type { DashboardAction, SessionStage } from '../../../kernel/dashboard-access.js';

export const DASHBOARD_ROUTE = 'route:dashboard';

export interface DashboardMark {
  /** `enter`: on the way in, without a session. */
  readonly action: DashboardAction | 'enter';
  readonly stages: readonly SessionStage[];
}

/**
 * A page or form of the dashboard: no credential opens it, a person's session with a role for the action does.
 * @param stages of signing in at which it can be reached; only the last unless given
 */
export const DashboardRoute = (action: DashboardAction, stages: readonly SessionStage[] = ['signed_in']) =>
  dashboardRoute({ action, stages });

/** A page or form on the way in, for anybody; its forms are sent by the dashboard's own pages all the same. */
export const DashboardEntry = () => dashboardRoute({ action: 'enter', stages: [] });

function dashboardRoute(mark: DashboardMark) {
  return applyDecorators(SetMetadata(DASHBOARD_ROUTE, mark), ApiExcludeEndpoint(), Public(), RawAnswer());
}
