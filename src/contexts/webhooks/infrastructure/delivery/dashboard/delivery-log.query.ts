import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import {
  DayOrEmpty,
  DoneListQuery,
  timeOfDays,
  Trimmed,
  TypedText,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { OneOf, rule } from '#shared/platform/http/validation/field-rules.js';
import type { AttemptFilter } from '#contexts/webhooks/application/delivery/logged-attempts.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#contexts/webhooks/domain/delivery/delivery.js';

/** Filters of a webhook's log, as its form sends them: empty where nothing is chosen. */
export class DeliveryLogQuery extends DoneListQuery {
  @OneOf(['', ...DELIVERY_STATUSES], { optional: true })
  status?: DeliveryStatus | '';

  @Trimmed()
  @rule(
    'uuid',
    'must be the id of a payment request.',
    (value) => typeof value === 'string' && (value === '' || isUuid(value)),
    {},
    { optional: true },
  )
  payment_request_id?: string;

  /** The attempt whose bytes the page shows. */
  @TypedText() attempt?: string;

  @DayOrEmpty() from?: string;
  /** The last day of the range. */
  @DayOrEmpty() to?: string;
}

/** @throws validation_failed where the last day is before the first */
export function toAttemptFilter({ status, payment_request_id, ...days }: DeliveryLogQuery): AttemptFilter {
  return {
    ...(status && { status }),
    ...(payment_request_id && { paymentRequestId: payment_request_id.toLowerCase() as PaymentRequestId }),
    ...timeOfDays(days),
  };
}
