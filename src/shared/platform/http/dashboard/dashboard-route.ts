import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { DashboardAction, SessionStage } from '#shared/kernel/dashboard-access.js';
import type { Word } from '#shared/web/dashboard/words/text.js';
import { GUARD_FIELDS, OwnRate, Public, RawAnswer } from '../callers/route-markers.js';

export const DASHBOARD_ROUTE = 'route:dashboard';

/** Proof of the second factor that a form action requires. */
export type FactorRequirement =
  | 'none'
  /**
   * The second factor must have been proven within the last ten minutes. Otherwise a page asks for it and keeps the
   * typed values.
   */
  | 'fresh'
  /** The second factor must be entered in the form, every time. */
  | 'each_time';

export interface FreshAct {
  readonly factor: 'fresh';
  /** The effect of the action, as the end of a sentence that starts with "To". */
  readonly does: Word;
}

export interface DashboardRouteMark {
  /** `enter`: the page is for visitors without a session, before sign-in. */
  readonly action: DashboardAction | 'enter';
  readonly stages: readonly SessionStage[];
  /** The action that a form performs; absent for a page. */
  readonly act?: FreshAct | { readonly factor: 'none' | 'each_time'; readonly does: string };
}

/**
 * Marks a dashboard page. It requires a session, and a role that allows the action.
 * @param stages sign-in stages in which the page is available; default: only after sign-in is complete
 */
export const DashboardRoute = (action: DashboardAction, stages: readonly SessionStage[] = ['signed_in']) =>
  dashboardRoute({ action, stages });

/** Marks a page that anyone may open before sign-in. */
export const DashboardEntry = () => dashboardRoute({ action: 'enter', stages: [] });

/**
 * Marks a dashboard form. Forms without this marker are rejected. An action that can give someone more access requires
 * a recently proven second factor, so that a stolen session can only read. docs/concepts/security.md lists all actions.
 * @param does what the action does, as the end of a sentence that starts with "To"
 * @param _reason why the action requires this proof of the second factor
 * @param stages sign-in stages in which the form is available
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
