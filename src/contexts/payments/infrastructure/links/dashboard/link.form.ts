import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { MAX_FIELD_LENGTH, Typed } from '#shared/platform/http/dashboard/typed-field.js';
import { OneOf } from '#shared/platform/http/validation/field-rules.js';

export class LinksQuery extends DashboardPageQuery {
  /** Empty: all. */
  @OneOf(['', 'active', 'inactive'], { optional: true })
  state?: '' | 'active' | 'inactive';
}

export class LinkQuery {
  @Typed(MAX_FIELD_LENGTH) done?: string;
}

export class NewLinkForm {
  @Typed(MAX_FIELD_LENGTH) point_of_sale_id?: string;
  @Typed(MAX_FIELD_LENGTH) amount?: string;
  @Typed(MAX_FIELD_LENGTH) coin_code?: string;
  @Typed(2048) return_url?: string;
}
