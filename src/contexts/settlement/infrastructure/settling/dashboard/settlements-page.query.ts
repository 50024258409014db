import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { Typed } from '#shared/platform/http/dashboard/typed-field.js';

export class SettlementsPageQuery extends DashboardPageQuery {
  /** Empty for all, as browsers send what is not chosen. */
  @Typed() account?: string;
  /** A hash; empty for all. */
  @Typed() transaction?: string;
}
