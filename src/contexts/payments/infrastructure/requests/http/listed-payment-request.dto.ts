import { IntersectionType, OmitType } from '@nestjs/swagger';
import { formatAmount } from '#shared/kernel/amount.js';
import { toUnixSeconds } from '#shared/kernel/instant.js';
import { answerFromView } from '#shared/platform/http/answers/answer.js';
import { PageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import {
  CreatedRangeQuery,
  toCreatedRange,
  IsReferenceId,
} from '#shared/platform/http/validation/shared-fields.js';
import { IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import type { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import type {
  ListedPaymentRequest,
  PaymentRequestFilter,
} from '#contexts/payments/application/requests/payment-request-view.js';
import {
  PAYMENT_REQUEST_STATUSES,
  type PaymentRequestStatus,
} from '#contexts/payments/contract/payment-request-events.js';
import { PaymentRequestProgressDto } from './payment-request.dto.js';
import { PAID_PAYMENT_REQUEST_EXAMPLE } from './payment-request-examples.js';

export class ListPaymentRequestsQuery extends IntersectionType(PageQuery, CreatedRangeQuery) {
  @IsOneOf(PAYMENT_REQUEST_STATUSES, 'Only requests that currently have this status.', {
    optional: true,
    example: 'completed',
  })
  status?: PaymentRequestStatus;

  @IsReferenceId('Only requests with exactly this `reference_id`.')
  reference_id?: string;
}

/** Omits long fields, which only the read of a single request returns. */
export class ListedPaymentRequestDto extends OmitType(PaymentRequestProgressDto, [
  'token',
  'order',
  'transfers',
  'deposits',
  'status_history',
  'payment_options',
  'merchant',
  'selected',
  'settlement_id',
  'refunds',
] as const) {}

const {
  token: _token,
  order: _order,
  transfers: _,
  deposits: _deposits,
  ...PAID
} = PAID_PAYMENT_REQUEST_EXAMPLE;
const { status_history: _history, settlement_id: _settlement, refunds: _refunds, ...LISTED_EXAMPLE } = PAID;
export { LISTED_EXAMPLE };

export function toFilter(query: ListPaymentRequestsQuery): PaymentRequestFilter {
  const { status, reference_id: referenceId } = query;
  return { ...(status && { statuses: [status] }), referenceId, created: toCreatedRange(query) };
}

export function presentListedPaymentRequest(
  request: ListedPaymentRequest,
  urls: CheckoutUrls,
): ListedPaymentRequestDto {
  const { asked, checkout } = request;
  return answerFromView(
    ListedPaymentRequestDto,
    { ...asked, ...checkout, ...request },
    {
      amount: checkout?.amount ?? formatAmount(asked!.amount, asked!.decimals),
      received_amount: formatAmount(request.receivedAmount, asked?.decimals ?? 0),
      expiration: toUnixSeconds(request.expiresAt),
      checkout_url: checkout && urls.forWallets(checkout.sessionId),
      hosted_checkout_url: checkout && urls.page(checkout.sessionId),
    },
  );
}
