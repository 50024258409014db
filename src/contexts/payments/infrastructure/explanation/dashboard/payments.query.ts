import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import {
  DashboardPageQuery,
  DayOrEmpty,
  TypedText,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { OneOf } from '#shared/platform/http/validation/field-rules.js';
import { PAYMENT_REQUEST_STATUSES } from '#contexts/payments/domain/requests/status.js';

/** Filters of the list, as its form sends them: empty where nothing is chosen. */
export class PaymentsQuery extends DashboardPageQuery {
  /** The id of a point of sale, or a part of its name. */
  @TypedText() pos?: string;
  @OneOf(['', ...PAYMENT_REQUEST_STATUSES], { optional: true })
  status?: '' | PaymentRequestStatus;
  @TypedText() reference?: string;
  /** UTC days, both included. */
  @DayOrEmpty() from?: string;
  @DayOrEmpty() to?: string;
}
