import { QueryInteger } from '../validation/query-integer.js';
import { TypedText } from './typed-field.js';

const LAST_PAGE = 1_000_000;

/** The query of lists without filters. */
export class DashboardPageQuery {
  @QueryInteger({ min: 1, max: LAST_PAGE, default: 1 })
  page: number = 1;
}

/** The query of a page that an act leads to. */
export class DoneQuery {
  /** The act that has been done, for the notice. */
  @TypedText() done?: string;
}

/** The query of a list that an act leads to. */
export class DoneListQuery extends DashboardPageQuery {
  /** The act that has been done, for the notice. */
  @TypedText() done?: string;
}
