import { DashboardPageQuery } from '../../../../../shared/platform/http/dashboard/dashboard-page.query.js';
import { AnyText, OneOf } from '../../../../../shared/platform/http/validation/field-rules.js';

const typed = (maxLength = 400) => AnyText({ maxLength }, { optional: true });

export class LinksQuery extends DashboardPageQuery {
  /** Empty: all. */
  @OneOf(['', 'active', 'inactive'], { optional: true })
  state?: '' | 'active' | 'inactive';
}

export class LinkQuery {
  @typed() done?: string;
}

export class NewLinkForm {
  @typed() point_of_sale_id?: string;
  @typed() amount?: string;
  @typed() coin_code?: string;
  @typed(2048) return_url?: string;
}
