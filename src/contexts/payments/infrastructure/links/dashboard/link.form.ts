import { DashboardPageQuery } from '../../../../../shared/platform/http/dashboard/dashboard-page.query.js';
import { Typed } from '../../../../../shared/platform/http/dashboard/typed-field.js';
import { OneOf } from '../../../../../shared/platform/http/validation/field-rules.js';

export class LinksQuery extends DashboardPageQuery {
  /** Empty: all. */
  @OneOf(['', 'active', 'inactive'], { optional: true })
  state?: '' | 'active' | 'inactive';
}

export class LinkQuery {
  @Typed(400) done?: string;
}

export class NewLinkForm {
  @Typed(400) point_of_sale_id?: string;
  @Typed(400) amount?: string;
  @Typed(400) coin_code?: string;
  @Typed(2048) return_url?: string;
}
