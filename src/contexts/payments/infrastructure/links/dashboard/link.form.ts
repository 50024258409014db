import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { LONGEST_FIELD, Typed } from '#shared/platform/http/dashboard/typed-field.js';
import { OneOf } from '#shared/platform/http/validation/field-rules.js';

export class LinksQuery extends DashboardPageQuery {
  /** Empty: all. */
  @OneOf(['', 'active', 'inactive'], { optional: true })
  state?: '' | 'active' | 'inactive';
}

export class LinkQuery {
  @Typed(LONGEST_FIELD) done?: string;
}

export class NewLinkForm {
  @Typed(LONGEST_FIELD) point_of_sale_id?: string;
  @Typed(LONGEST_FIELD) amount?: string;
  @Typed(LONGEST_FIELD) coin_code?: string;
  @Typed(2048) return_url?: string;
}
