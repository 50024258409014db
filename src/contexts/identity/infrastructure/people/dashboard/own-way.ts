import { DoneQuery, TypedText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DASHBOARD_PATH } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { ownPath } from '#shared/web/safe-links.js';

export class ThenQuery extends DoneQuery {
  /** The page to go to once signed in. */
  @TypedText() then?: string;
}

/** A page of the dashboard to continue at; its first page for anything else, so that no link leads elsewhere through the sign-in. */
export function ownWay(then: string | undefined): string {
  const path = ownPath(then);
  const isOurs =
    path === DASHBOARD_PATH ||
    path?.startsWith(`${DASHBOARD_PATH}/`) ||
    path?.startsWith(`${DASHBOARD_PATH}?`);
  return isOurs === true ? path! : DASHBOARD_PATH;
}
