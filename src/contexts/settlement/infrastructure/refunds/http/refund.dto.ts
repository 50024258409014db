import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import { PageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import { IsAnyText, IsDecimalAmount, IsOneOf, IsText } from '#shared/platform/http/validation/field-rules.js';
import { parseTimeSince2000 } from '#shared/kernel/instant.js';
import { IsNestedObject } from '#shared/platform/http/validation/nested-fields.js';
import { EXAMPLE_ASSET, IsInstant } from '#shared/platform/http/validation/shared-fields.js';
import { toCamelCaseFields } from '#shared/kernel/text.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type { RefundStatus } from '#contexts/settlement/contract/refund-events.js';
import type { CreateRefundInput } from '#contexts/settlement/application/refunds/create-refund.js';
import {
  DEFAULT_CLAIM_DAYS,
  MAX_CLAIM_DAYS,
  MAX_REFUND_ADDRESS_LENGTH,
  REFUND_FUNDING_SOURCES,
  REFUND_STATUSES,
  type RefundPayer,
  type RefundSnapshot,
} from '#contexts/settlement/domain/refunds/refund.js';
import type { RefundFilter } from '#contexts/settlement/domain/refunds/refunds.js';

const MAX_HASH_LENGTH = 200;

export class RefundClaimBody {
  @IsInstant(
    `Time until which the payer can enter an address. Default: ${DEFAULT_CLAIM_DAYS} days from now. Maximum: ${MAX_CLAIM_DAYS} days from now.`,
    { optional: true, example: '2026-03-02T13:00:00Z' },
  )
  expires_at?: string;
}

export class CreateRefundBody {
  @IsText('Address that receives the refund. Send either this field or `claim`.', {
    max: MAX_REFUND_ADDRESS_LENGTH,
    optional: true,
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  refund_to_address?: string;

  @IsNestedObject(
    () => RefundClaimBody,
    'Lets the payer enter the address on a page. The response contains the URL of the page. Send either this ' +
      'field or `refund_to_address`. An empty object uses the defaults.',
    { optional: true },
  )
  claim?: RefundClaimBody;

  @IsText(
    'Hash of the transaction with which your own wallet paid the refund to `refund_to_address`. Required on ' +
      'networks that deliver payments directly to your own wallet. Omit it on all other networks.',
    { max: MAX_HASH_LENGTH, optional: true },
  )
  paid_transaction_hash?: string;

  @IsDecimalAmount(
    'Amount to refund, in whole units of the asset. Default: the full amount that can still be refunded; for ' +
      'an overpaid payment request, the part of the excess that can still be refunded.',
    { optional: true, example: '2.5' },
  )
  amount?: string;

  @IsText(
    'Unique id of the asset to refund. Default: the asset in which the payment request was paid or, if it ' +
      'was not paid, the only asset that was received. Required if the payment request was not paid and ' +
      'several assets were received.',
    { max: 200, optional: true },
  )
  unique_asset_id?: string;

  @IsText('Reason for the refund, for your records. Default: none.', {
    max: 500,
    optional: true,
    example: 'Returned goods',
  })
  reason?: string;
}

export class RefundsQuery extends PageQuery {
  @IsOneOf(REFUND_STATUSES, 'Only refunds with this status.', { optional: true, example: 'completed' })
  status?: RefundStatus;

  @IsAnyText('Only refunds of this payment request.', { format: 'uuid', optional: true })
  payment_request_id?: string;
}

export class RefundDto {
  @UuidField('Unique id of the refund.')
  id!: string;

  @UuidField('Id of the refunded payment request.')
  payment_request_id!: string;

  @AnswerField(
    'Status of the refund. `pending`: it waits for the payer’s address or for your approval. `processing`: ' +
      'it is approved, and its amount is reserved. `completed`: it was paid in a block that is final. ' +
      '`failed`: it was cancelled, it was not claimed in time, its transaction had no effect, or the original ' +
      'payment was reversed.',
    { enum: REFUND_STATUSES, enumName: 'RefundStatus' },
  )
  status!: RefundStatus;

  @AnswerField(
    'Source of the refund. `float`: the refund float of your organization. `merchant`: your own wallet, on ' +
      'networks that deliver payments directly to it.',
    { enum: REFUND_FUNDING_SOURCES, enumName: 'RefundPayer' },
  )
  paid_by!: RefundPayer;

  @AnswerField('Amount of the refund, in `currency`.', { example: '2.5' })
  amount!: string;

  @AnswerField({ example: 'USDC', description: 'Symbol of the asset.' })
  currency!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'polygon' })
  network!: string;

  @AnswerField('Unique id of the asset on its network.', { example: EXAMPLE_ASSET })
  unique_asset_id!: string;

  @AnswerField({
    required: false,
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    description: 'Address that receives the refund. Absent until the payer has entered it.',
  })
  refund_to_address?: string;

  @AnswerField(
    'URL of the page where the payer enters the address. Anyone with this URL can set the address, so send ' +
      'it only to the payer. Present only in the response that creates the refund or replaces the URL: if you ' +
      'repeat the request with the same `Idempotency-Key`, it is absent.',
    { required: false, format: 'uri' },
  )
  claim_url?: string;

  @TimestampField(
    'Time until which the payer can enter an address. Absent if the refund was created without `claim`.',
    { required: false },
  )
  claim_expires_at?: string;

  @AnswerField(
    'Amount that the refund float lacks to pay this refund, in `currency`. Top up the float before you ' +
      'approve the refund. Present only in the response that creates the refund, and only if the float is too ' +
      'low.',
    { required: false, example: '1.5' },
  )
  float_missing?: string;

  @AnswerField('Your reason for the refund. Absent if none was set.', {
    required: false,
    example: 'Returned goods',
  })
  reason?: string;

  @AnswerField(
    'Hash of the transaction that pays the refund. Absent until the transaction is final. For a refund paid ' +
      'from your own wallet, it is present from the creation of the refund.',
    { required: false },
  )
  transaction_hash?: string;

  @AnswerField({
    required: false,
    example: 'The merchant cancelled the refund.',
    description: 'Why the refund failed, as a sentence. Present only if `status` is `failed`.',
  })
  failure?: string;

  @UuidField('Id of the account that the payment request belongs to.')
  account_id!: string;

  @TimestampField('Time of creation.')
  created_at!: string;

  @TimestampField('Time of the last change.')
  updated_at!: string;
}

interface RefundCreationDetails {
  readonly claimUrl?: string | undefined;
  readonly floatMissing?: bigint | undefined;
}

export function presentRefund(
  refund: RefundSnapshot,
  { claimUrl, floatMissing }: RefundCreationDetails = {},
): RefundDto {
  const { asset } = refund;
  return answerFromView(
    RefundDto,
    { ...asset, ...refund },
    {
      amount: formatAmount(refund.amount, asset.decimals),
      currency: asset.symbol,
      refund_to_address: refund.to && toDisplayAddress(refund.to),
      claim_url: claimUrl,
      float_missing: floatMissing === undefined ? undefined : formatAmount(floatMissing, asset.decimals),
    },
  );
}

type RequestedRefund = Pick<
  CreateRefundInput,
  'refundToAddress' | 'claim' | 'paidTransactionHash' | 'amount' | 'uniqueAssetId' | 'reason'
>;

export function toRequestedRefund(body: CreateRefundBody): RequestedRefund {
  const { claim, ...input } = toCamelCaseFields(body);
  return { ...input, claim: claim && { expiresAt: parseClaimEnd(claim.expires_at) } };
}

export function parseClaimEnd(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseTimeSince2000(text);
}

export function toRefundFilter({ status, payment_request_id: id }: RefundsQuery): RefundFilter {
  if (id !== undefined && !isUuid(id)) throw invalidField('payment_request_id', 'uuid', 'must be a UUID.');
  return { status, ...(id !== undefined && { paymentRequestIds: [id.toLowerCase() as PaymentRequestId] }) };
}
