import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { DashboardAction, SessionStage } from '#shared/kernel/dashboard-access.js';
import type { Word } from '#shared/web/dashboard/words/text.js';
import { GUARD_FIELDS, OwnRate, Public, RawAnswer } from '../callers/route-markers.js';

export const DASHBOARD_ROUTE = 'route:dashboard';

/** Proof of the second factor that an act requires. */
export type FactorDemand =
  /** The session is enough. */
  | 'none'
  /** Proven within the last ten minutes. Otherwise a page requests it and preserves the typed values. */
  | 'fresh'
  /** Proven in the act's form, every time. */
  | 'each_time';

export interface FreshAct {
  readonly factor: 'fresh';
  /** Continues "To …". */
  readonly does: Word;
}

export interface DashboardMark {
  /** `enter`: before sign-in, without a session. */
  readonly action: DashboardAction | 'enter';
  readonly stages: readonly SessionStage[];
  /** The act of a form; absent for a page. */
  readonly act?: FreshAct | { readonly factor: 'none' | 'each_time'; readonly does: string };
}

/**
 * Marks a page of the dashboard. Requires a session and a role that allows the action.
 * @param stages sign-in stages in which the page is available; default: only the last
 */
export const DashboardRoute = (action: DashboardAction, stages: readonly SessionStage[] = ['signed_in']) =>
  dashboardRoute({ action, stages });

/** Marks a page before sign-in, for anyone. */
export const DashboardEntry = () => dashboardRoute({ action: 'enter', stages: [] });

/**
 * Marks a form of the dashboard. Forms without an act are rejected. An act that can extend access requires a fresh second
 * factor, so that a stolen session can only read. docs/concepts/security.md lists all acts.
 * @param does continues "To …"
 * @param _reason why the act requires this factor
 * @param stages see `DashboardRoute`
 */
export function DashboardAct<Factor extends FactorDemand>(
  does: Factor extends 'fresh' ? Word : string,
  action: DashboardMark['action'],
  factor: Factor,
  _reason: string,
  stages: readonly SessionStage[] = ['signed_in'],
): MethodDecorator {
  return dashboardRoute({ action, stages, act: { does, factor } as NonNullable<DashboardMark['act']> });
}

function dashboardRoute(mark: DashboardMark) {
  return applyDecorators(
    SetMetadata(DASHBOARD_ROUTE, mark),
    SetMetadata(GUARD_FIELDS, mark.act?.factor === 'fresh' ? ['code'] : []),
    ApiExcludeEndpoint(),
    Public(),
    RawAnswer(),
    // The dashboard guard counts by session.
    ...(mark.action === 'enter' ? [] : [OwnRate()]),
  );
}
