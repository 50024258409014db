import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import { laterDay, startOfDay } from '#shared/kernel/zoned-day.js';
import { DayOrEmpty, DoneListQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { OneOf, rule } from '#shared/platform/http/validation/field-rules.js';
import type { AttemptFilter } from '#contexts/webhooks/application/delivery/logged-attempts.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#contexts/webhooks/domain/delivery/delivery.js';

/** Filters of a webhook's log, as its form sends them: empty where nothing is chosen. */
export class DeliveryLogQuery extends DoneListQuery {
  @OneOf(['', ...DELIVERY_STATUSES], { optional: true })
  status?: DeliveryStatus | '';

  @rule(
    'uuid',
    'must be the id of a payment request.',
    (value) => typeof value === 'string' && (value === '' || isUuid(value)),
    {},
    { optional: true },
  )
  payment_request_id?: string;

  @DayOrEmpty() from?: string;
  /** The last day of the range. */
  @DayOrEmpty() to?: string;
}

export function toAttemptFilter({ status, payment_request_id, from, to }: DeliveryLogQuery): AttemptFilter {
  return {
    ...(status && { status }),
    ...(payment_request_id && { paymentRequestId: payment_request_id.toLowerCase() as PaymentRequestId }),
    ...(from && { from: startOfDay(from, 'UTC') }),
    ...(to && { before: startOfDay(laterDay(to, 1), 'UTC') }),
  };
}
