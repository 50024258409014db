import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { Typed } from '#shared/platform/http/dashboard/typed-field.js';

/** Filters as the form sends them: empty where nothing is chosen. */
export class RefundsPageQuery extends DashboardPageQuery {
  @Typed() status?: string;
  @Typed() payment_request_id?: string;
}

export class RefundPageQuery {
  /** The act that has been done, for the notice. */
  @Typed() done?: string;
}

export class NewRefundQuery {
  /** The payment that the refund is of; asked for where it is missing. */
  @Typed() payment_request_id?: string;
}

export class CreateRefundForm {
  @Typed() payment_request_id?: string;
  /** Empty: the payer names it at a page of this service. */
  @Typed() refund_to_address?: string;
  @Typed() amount?: string;
  @Typed() unique_asset_id?: string;
  @Typed() reason?: string;
  @Typed() code?: string;
}

export class ApproveRefundForm {
  @Typed() code?: string;
}
