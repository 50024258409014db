import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { Public, RawAnswer } from '../callers/route-markers.js';
import type { DashboardAction, SessionStage } from '../../../kernel/dashboard-access.js';

export const DASHBOARD_ROUTE = 'route:dashboard';

export interface DashboardMark {
  readonly action: DashboardAction;
  readonly stages: readonly SessionStage[];
}

/**
 * A page or form of the dashboard: no credential opens it, a person's session with a role for the action does.
 * @param stages of signing in at which it can be reached; only the last unless given
 */
export const DashboardRoute = (action: DashboardAction, stages: readonly SessionStage[] = ['signed_in']) =>
  applyDecorators(
    SetMetadata(DASHBOARD_ROUTE, { action, stages } satisfies DashboardMark),
    ApiExcludeEndpoint(),
    Public(),
    RawAnswer(),
  );
