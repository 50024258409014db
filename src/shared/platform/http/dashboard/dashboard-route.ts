import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { DashboardPermission, SignInStage } from '#shared/kernel/dashboard-access.js';
import type { Word } from '#shared/web/dashboard/words/text.js';
import { GUARD_FIELDS, OwnRateLimit, Public, RawAnswer } from '../callers/route-markers.js';

export const DASHBOARD_ROUTE = 'route:dashboard';

export type SecondFactorRequirement =
  | 'none'
  /** Must have been proven within the last ten minutes. */
  | 'fresh'
  /** Must be entered in the form, every time. */
  | 'each_time';

export interface StepUpAction {
  readonly factor: 'fresh';
  /** The effect of the action, as the end of a sentence that starts with "To". */
  readonly does: Word;
}

export interface DashboardRouteMarker {
  readonly action: DashboardPermission | 'enter';
  readonly stages: readonly SignInStage[];
  readonly act?: StepUpAction | { readonly factor: 'none' | 'each_time'; readonly does: string };
}

/** @param stages sign-in stages in which the page is available */
export const DashboardRoute = (action: DashboardPermission, stages: readonly SignInStage[] = ['signed_in']) =>
  dashboardRoute({ action, stages });

export const PublicDashboardRoute = () => dashboardRoute({ action: 'enter', stages: [] });

/**
 * Forms without this marker are rejected. Actions that can give someone more access need a fresh second factor, so
 * that a stolen session can only read (docs/concepts/security.md). @param does end of a sentence that starts with
 * "To"
 */
export function DashboardActionRoute<Factor extends SecondFactorRequirement>(
  does: Factor extends 'fresh' ? Word : string,
  action: DashboardRouteMarker['action'],
  factor: Factor,
  _reason: string,
  stages: readonly SignInStage[] = ['signed_in'],
): MethodDecorator {
  return dashboardRoute({
    action,
    stages,
    act: { does, factor } as NonNullable<DashboardRouteMarker['act']>,
  });
}

function dashboardRoute(mark: DashboardRouteMarker) {
  return applyDecorators(
    SetMetadata(DASHBOARD_ROUTE, mark),
    SetMetadata(GUARD_FIELDS, mark.act?.factor === 'fresh' ? ['code'] : []),
    ApiExcludeEndpoint(),
    Public(),
    RawAnswer(),
    // The dashboard guard counts requests by session instead of by address.
    ...(mark.action === 'enter' ? [] : [OwnRateLimit()]),
  );
}
