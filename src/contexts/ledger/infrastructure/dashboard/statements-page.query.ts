import { DashboardPageQuery, TypedText } from '#shared/platform/http/dashboard/dashboard-query.js';

/** The filters as the form sends them; judged where what is wrong can be shown beside them. */
export class StatementsPageQuery extends DashboardPageQuery {
  @TypedText() month?: string;
  @TypedText() account?: string;
}
