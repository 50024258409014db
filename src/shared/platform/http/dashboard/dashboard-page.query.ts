import { QueryInteger } from '../validation/query-integer.js';

const LAST_PAGE = 1_000_000;

/** The query of lists without filters. */
export class DashboardPageQuery {
  @QueryInteger({ min: 1, max: LAST_PAGE, default: 1 })
  page: number = 1;
}
