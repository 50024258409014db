import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import { PageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import { AnyText, DecimalAmount, OneOf, Text } from '#shared/platform/http/validation/field-rules.js';
import { readInstant } from '#shared/kernel/instant.js';
import { Instant } from '#shared/platform/http/validation/instant.js';
import { Nested } from '#shared/platform/http/validation/nested-fields.js';
import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import { inCamelCase } from '#shared/kernel/camel-case.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { RefundStatus } from '#contexts/settlement/contract/refund-events.js';
import type { CreateRefundInput } from '#contexts/settlement/application/refunds/create-refund.js';
import { CLAIM_DAYS, MAX_CLAIM_DAYS } from '#contexts/settlement/domain/refunds/refund-claim-expiry.js';
import {
  MAX_REFUND_ADDRESS_LENGTH,
  REFUND_PAYERS,
  REFUND_STATUSES,
  type RefundPayer,
  type RefundState,
} from '#contexts/settlement/domain/refunds/refund.js';
import type { RefundFilter } from '#contexts/settlement/domain/refunds/refunds.js';

const MAX_HASH_LENGTH = 200;

export class RefundClaimBody {
  @Instant({
    optional: true,
    description: `Until then the payer can name an address; ${CLAIM_DAYS} days from now unless set, ${MAX_CLAIM_DAYS} at most.`,
  })
  expires_at?: string;
}

export class CreateRefundBody {
  @Text({
    max: MAX_REFUND_ADDRESS_LENGTH,
    optional: true,
    description: 'Where the payer wants the money; this or `claim`.',
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  refund_to_address?: string;

  @Nested(() => RefundClaimBody, {
    optional: true,
    description:
      'Lets the payer name the address, at a page whose URL is answered; this or `refund_to_address`.',
  })
  claim?: RefundClaimBody;

  @Text({
    max: MAX_HASH_LENGTH,
    optional: true,
    description:
      'On networks that deliver straight into your own wallet: the transaction by which that wallet pays `refund_to_address`.',
  })
  paid_transaction_hash?: string;

  @DecimalAmount({
    optional: true,
    description:
      'In the asset that was received; what is left unless set, of an overpaid request its excess.',
    example: '2.5',
  })
  amount?: string;

  @Text({ max: 200, optional: true, description: 'Which asset; wanted where several were received.' })
  unique_asset_id?: string;

  @Text({ max: 500, optional: true, description: 'For your records.', example: 'Returned goods' })
  reason?: string;
}

export class RefundsQuery extends PageQuery {
  @OneOf(REFUND_STATUSES, {
    optional: true,
    description: 'Only refunds that have this status now.',
    example: 'completed',
  })
  status?: RefundStatus;

  @AnyText({ format: 'uuid' }, { optional: true, description: 'Only refunds of this payment request.' })
  payment_request_id?: string;
}

export class RefundDto {
  @Uuid()
  id!: string;

  @Uuid()
  payment_request_id!: string;

  @Field({
    enum: REFUND_STATUSES,
    enumName: 'RefundStatus',
    description:
      '`pending`: waits for the payer’s address or your approval. `processing`: approved, its money reserved. ' +
      '`completed`: paid, in a final block. `failed`: cancelled, its payment was reversed, or it came to nothing.',
  })
  status!: RefundStatus;

  @Field({
    enum: REFUND_PAYERS,
    enumName: 'RefundPayer',
    description: '`float`: your refund float. `merchant`: your own wallet, where that receives what is paid.',
  })
  paid_by!: RefundPayer;

  @Field({ description: 'In `currency`.', example: '2.5' })
  amount!: string;

  @Field({ example: 'USDC' })
  currency!: string;

  @Field({ description: 'Network name.', example: 'polygon' })
  network!: string;

  @Field()
  unique_asset_id!: string;

  @Field({ required: false, description: 'Absent while the payer has not named it.' })
  refund_to_address?: string;

  @Field({
    required: false,
    format: 'uri',
    description: 'The page for the payer; in the answer to its creation alone, never in a repeated one.',
  })
  claim_url?: string;

  @Time({ required: false })
  claim_expires_at?: string;

  @Field({
    required: false,
    description:
      'In `currency`: the amount that your refund float lacks to pay a claim. Top the float up before you approve the refund. ' +
      'Present in the response to its creation, if the float is too low.',
    example: '1.5',
  })
  float_missing?: string;

  @Field({ required: false })
  reason?: string;

  @Field({
    required: false,
    description: 'Once it is final; of one that your own wallet pays from the beginning.',
  })
  transaction_hash?: string;

  @Field({ required: false, description: 'Of a failed one: why, as a sentence.' })
  failure?: string;

  @Uuid()
  account_id!: string;

  @Time()
  created_at!: string;

  @Time()
  updated_at!: string;
}

interface AtCreation {
  readonly claimUrl?: string | undefined;
  readonly floatMissing?: bigint | undefined;
}

export function presentRefund(refund: RefundState, { claimUrl, floatMissing }: AtCreation = {}): RefundDto {
  const { asset } = refund;
  return answer(
    RefundDto,
    { ...asset, ...refund },
    {
      amount: formatAmount(refund.amount, asset.decimals),
      currency: asset.symbol,
      refund_to_address: refund.to && addressForPeople(refund.to),
      claim_url: claimUrl,
      float_missing: floatMissing === undefined ? undefined : formatAmount(floatMissing, asset.decimals),
    },
  );
}

type AskedRefund = Pick<
  CreateRefundInput,
  'refundToAddress' | 'claim' | 'paidTransactionHash' | 'amount' | 'uniqueAssetId' | 'reason'
>;

export function toAskedRefund(body: CreateRefundBody): AskedRefund {
  const { claim, ...input } = inCamelCase(body);
  const expiresAt = claim?.expires_at;
  return { ...input, claim: claim && { expiresAt: expiresAt ? readInstant(expiresAt) : undefined } };
}

/** @throws validation_failed for an id that is none */
export function toRefundFilter({ status, payment_request_id: id }: RefundsQuery): RefundFilter {
  if (id !== undefined && !isUuid(id)) throw invalidField('payment_request_id', 'uuid', 'must be a UUID.');
  return { status, paymentRequestId: id?.toLowerCase() as PaymentRequestId | undefined };
}

export const REFUND_EXAMPLE: RefundDto = {
  id: '0193b2f4-8d32-7f4e-8b5c-7d8e9f0a1b2c',
  payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  status: 'processing',
  paid_by: 'float',
  amount: '2.5',
  currency: 'USDC',
  network: 'erc20',
  unique_asset_id: EXAMPLE_ASSET,
  refund_to_address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  reason: 'Returned goods',
  account_id: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
  created_at: '2026-01-31T13:00:00.000Z',
  updated_at: '2026-01-31T13:00:00.000Z',
};

const { refund_to_address: _, ...UNCLAIMED } = REFUND_EXAMPLE;

/** The answer to its creation. */
export const CLAIM_EXAMPLE: RefundDto = {
  ...UNCLAIMED,
  status: 'pending',
  claim_url: 'https://pay.example/refund/Zr0t8pJ5cVd2mQw7LxK1Ag',
  claim_expires_at: '2026-03-02T13:00:00.000Z',
};

export const COMPLETED_EXAMPLE: RefundDto = {
  ...REFUND_EXAMPLE,
  status: 'completed',
  transaction_hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  updated_at: '2026-01-31T13:14:00.000Z',
};

export const CANCELLED_EXAMPLE: RefundDto = {
  ...UNCLAIMED,
  status: 'failed',
  failure: 'The merchant has cancelled it.',
  claim_expires_at: '2026-03-02T13:00:00.000Z',
};
