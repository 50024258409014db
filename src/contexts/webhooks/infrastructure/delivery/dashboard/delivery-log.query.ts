import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import {
  IsDayOrEmpty,
  CompletedActionListQuery,
  toTimeRange,
  TrimText,
  IsEnteredText,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { IsOneOf, customRule } from '#shared/platform/http/validation/field-rules.js';
import type { AttemptFilter } from '#contexts/webhooks/infrastructure/delivery/persistence/attempt-log.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '#contexts/webhooks/domain/delivery/delivery.js';

export class DeliveryLogQuery extends CompletedActionListQuery {
  @IsOneOf(['', ...DELIVERY_STATUSES], { optional: true })
  status?: DeliveryStatus | '';

  @TrimText()
  @customRule(
    'uuid',
    'must be the id of a payment request.',
    (value) => typeof value === 'string' && (value === '' || isUuid(value)),
    {},
    { optional: true },
  )
  payment_request_id?: string;

  @IsEnteredText() attempt?: string;

  @IsDayOrEmpty() from?: string;
  @IsDayOrEmpty() to?: string;
}

export function toAttemptFilter({ status, payment_request_id, ...days }: DeliveryLogQuery): AttemptFilter {
  return {
    ...(status && { status }),
    ...(payment_request_id && { paymentRequestId: payment_request_id.toLowerCase() as PaymentRequestId }),
    ...toTimeRange(days),
  };
}
