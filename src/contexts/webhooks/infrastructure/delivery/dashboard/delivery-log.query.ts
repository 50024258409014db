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

  @TypedText() attempt?: string;

  @DayOrEmpty() from?: string;
  @DayOrEmpty() to?: string;
}

export function toAttemptFilter({ status, payment_request_id, ...days }: DeliveryLogQuery): AttemptFilter {
  return {
    ...(status && { status }),
    ...(payment_request_id && { paymentRequestId: payment_request_id.toLowerCase() as PaymentRequestId }),
    ...toTimeRange(days),
  };
}
