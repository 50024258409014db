import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { DashboardAction, SessionStage } from '#shared/kernel/dashboard-access.js';
import type { Word } from '#shared/web/dashboard/words/text.js';
import { GUARD_FIELDS, OwnRate, Public, RawAnswer } from '../callers/route-markers.js';

export const DASHBOARD_ROUTE = 'route:dashboard';

export type FactorRequirement =
  | 'none'
  /** Must have been proven within the last ten minutes. */
  | 'fresh'
  /** Must be entered in the form, every time. */
  | 'each_time';

export interface FreshAct {
  readonly factor: 'fresh';
  /** The effect of the action, as the end of a sentence that starts with "To". */
  readonly does: Word;
}

export interface DashboardRouteMark {
  readonly action: DashboardAction | 'enter';
  readonly stages: readonly SessionStage[];
  readonly act?: FreshAct | { readonly factor: 'none' | 'each_time'; readonly does: string };
}

/** @param stages sign-in stages in which the page is available */
export const DashboardRoute = (action: DashboardAction, stages: readonly SessionStage[] = ['signed_in']) =>
  dashboardRoute({ action, stages });

export const DashboardEntry = () => dashboardRoute({ action: 'enter', stages: [] });

/**
 * Forms without this marker are rejected. Actions that can give someone more access need a fresh second factor, so
 * that a stolen session can only read (docs/concepts/security.md). @param does end of a sentence that starts with
 * "To"
 */
export function DashboardAct<Factor extends FactorRequirement>(
  does: Factor extends 'fresh' ? Word : string,
  action: DashboardRouteMark['action'],
  factor: Factor,
  _reason: string,
  stages: readonly SessionStage[] = ['signed_in'],
): MethodDecorator {
  return dashboardRoute({ action, stages, act: { does, factor } as NonNullable<DashboardRouteMark['act']> });
}

function dashboardRoute(mark: DashboardRouteMark) {
  return applyDecorators(
    SetMetadata(DASHBOARD_ROUTE, mark),
    SetMetadata(GUARD_FIELDS, mark.act?.factor === 'fresh' ? ['code'] : []),
    ApiExcludeEndpoint(),
    Public(),
    RawAnswer(),
    // The dashboard guard counts requests by session instead of by address.
    ...(mark.action === 'enter' ? [] : [OwnRate()]),
  );
}
