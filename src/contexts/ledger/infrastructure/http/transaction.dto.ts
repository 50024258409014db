import { IntersectionType } from '@nestjs/swagger';
import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { CreatedRangeQuery, toCreatedRange } from '#shared/platform/http/validation/created-range.js';
import { AnyText, OneOf } from '#shared/platform/http/validation/field-rules.js';
import { ReferenceId } from '#shared/platform/http/validation/shared-fields.js';
import { requiredPageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import type { TransactionFilter, TransactionView } from '../../application/transaction-view.js';
import {
  ENDPOINT_TYPES,
  FINANCIAL_PROVIDERS,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionStatus,
  type TransactionType,
} from '../../domain/transaction.js';

const MIN_PAGE_SIZE = 5;

/** Which transactions; the same for the list and for the whole as CSV. */
export class TransactionFilterQuery extends CreatedRangeQuery {
  // What is no account of the organization is 403, whatever it looks like.
  @AnyText(
    { format: 'uuid' },
    {
      optional: true,
      description: 'One account of the organization only. For organization-level keys.',
      example: '0193b2f4-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
    },
  )
  accountID?: string;

  @OneOf(TRANSACTION_TYPES, { optional: true, description: 'Only this type.', example: 'payment_in' })
  type?: TransactionType;

  @OneOf(TRANSACTION_STATUSES, { optional: true, description: 'Only this status.', example: 'completed' })
  status?: TransactionStatus;

  @ReferenceId({ description: 'Only transactions with exactly this order id of yours.' })
  reference_id?: string;
}

export class TransactionsQuery extends IntersectionType(
  requiredPageQuery(MIN_PAGE_SIZE),
  TransactionFilterQuery,
) {}

export function toTransactionFilter(query: TransactionFilterQuery): TransactionFilter {
  const { type, status, reference_id: referenceId } = query;
  return { type, status, referenceId, created: toCreatedRange(query) };
}

/** A ledger record. Described in docs/reference/transactions.md. */
export class TransactionDto {
  @Uuid()
  id!: string;

  @Field({
    enum: TRANSACTION_TYPES,
    enumName: 'TransactionType',
    description:
      '`payment_in` is what a payment request received; `deposit` money at its address beside that, which came too ' +
      'late, after the outcome or in another asset, or a top-up of a refund float; `adjustment` takes back what of these ' +
      'has disappeared from the chain; `withdraw` is what was delivered to a settlement address; `refund` is paid back.',
  })
  type!: TransactionView['type'];

  @Field({
    enum: TRANSACTION_STATUSES,
    enumName: 'TransactionStatus',
    description:
      '`withdraw` and `refund` go from `processing` to `completed` or `failed`, and the record stays the same one; all ' +
      'others are `completed`.',
  })
  status!: TransactionView['status'];

  @Field({
    description:
      'What was received, in whole units of the asset; of a `withdraw` what it took from deposit addresses. With a minus ' +
      'for an `adjustment`: what is gone again.',
  })
  gross_amount!: string;

  @Field({
    description:
      'Gross less the service fee, which is rounded down; of a `withdraw` what reached the settlement address. With a minus for an `adjustment`, by which the sum is what is ' +
      'left after the fee of what still stands.',
  })
  net_amount!: string;

  @Field({
    description: 'What was requested; the gross amount where nothing was, as for all but `payment_in`.',
  })
  expected_amount!: string;

  @Field({ description: "The asset's symbol." })
  currency!: string;

  @Field({ required: false })
  network?: string;

  @Field({ required: false, description: 'Identifies asset and network.' })
  unique_asset_id?: string;

  @Field({ required: false, description: "The merchant's own id of the account." })
  account_external_id?: string;

  @Field({
    description:
      'Source address, EIP-55 on EVM networks; the zero address where the chain does not tell. An `adjustment` has the ' +
      'ends of what it takes back.',
  })
  from!: string;

  @Field({ enum: ENDPOINT_TYPES, enumName: 'TransactionEndpointType' })
  from_type!: TransactionView['fromType'];

  @Field({ description: 'Destination address, EIP-55 on EVM networks.' })
  to!: string;

  @Field({
    enum: ENDPOINT_TYPES,
    enumName: 'TransactionEndpointType',
    description:
      '`vault` is a deposit address, or the contract that pays deposit addresses out; a refund float is a `wallet`.',
  })
  to_type!: TransactionView['toType'];

  @Field({ enum: FINANCIAL_PROVIDERS, enumName: 'FinancialProvider' })
  financial_provider!: TransactionView['financialProvider'];

  @Field({
    required: false,
    description:
      'On-chain hash. Absent where value arrived inside a contract call, so that no transaction is known to have brought it.',
  })
  transaction_hash?: string;

  @Uuid({
    required: false,
    description: 'The payment request whose address the money was sent to, or that a `refund` is of.',
  })
  payment_request_id?: string;

  @Field({ required: false, description: "The merchant's own order id." })
  reference_id?: string;

  @Uuid({
    required: false,
    description:
      'The settlement that a `withdraw` records, or that delivered the money of this record; absent again if it fails.',
  })
  settlement_id?: string;

  @Field({
    required: false,
    example: '2026-01',
    description:
      'The month that it belongs to, where that was closed when it was booked; it stands in a later one.',
  })
  booked_for?: string;

  @Time()
  created_at!: string;

  @Time()
  updated_at!: string;
}

export function presentTransaction(transaction: TransactionView): TransactionDto {
  const amount = (value: bigint) => formatAmount(value, transaction.decimals);
  return answer(TransactionDto, transaction, {
    gross_amount: amount(transaction.grossAmount),
    net_amount: amount(transaction.netAmount),
    expected_amount: amount(transaction.expectedAmount),
  });
}
