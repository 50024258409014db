import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import {
  DayOrEmpty,
  CompletedActionListQuery,
  toTimeRange,
  Trimmed,
  TypedText,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { OneOf, customRule } from '#shared/platform/http/validation/field-rules.js';
import type { AttemptFilter } from '#contexts/webhooks/infrastructure/delivery/persistence/attempt-log.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#contexts/webhooks/domain/delivery/delivery.js';

/** Filters of a webhook's delivery log, as submitted by the form. An empty field does not filter. */
export class DeliveryLogQuery extends CompletedActionListQuery {
  @OneOf(['', ...DELIVERY_STATUSES], { optional: true })
  status?: DeliveryStatus | '';

  @Trimmed()
  @customRule(
    'uuid',
    'must be the id of a payment request.',
    (value) => typeof value === 'string' && (value === '' || isUuid(value)),
    {},
    { optional: true },
  )
  payment_request_id?: string;

  /** Id of the attempt whose body the page displays. */
  @TypedText() attempt?: string;

  @DayOrEmpty() from?: string;
  /** Last day of the filter, inclusive. */
  @DayOrEmpty() to?: string;
}

/** @throws validation_failed if the last day is before the first */
export function toAttemptFilter({ status, payment_request_id, ...days }: DeliveryLogQuery): AttemptFilter {
  return {
    ...(status && { status }),
    ...(payment_request_id && { paymentRequestId: payment_request_id.toLowerCase() as PaymentRequestId }),
    ...toTimeRange(days),
  };
}
