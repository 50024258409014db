import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { formatAmount } from '#shared/kernel/amount.js';
import { CreatedRangeQuery, toCreatedRange } from '#shared/platform/http/validation/created-range.js';
import { AnyText, OneOf, Text } from '#shared/platform/http/validation/field-rules.js';
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

  @Text({
    max: 128,
    optional: true,
    description: 'Only transactions with exactly this order id of yours.',
    example: 'order-1042',
  })
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

/** A ledger record. Described in docs/api/transactions.md. */
export class TransactionDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({
    enum: TRANSACTION_TYPES,
    enumName: 'TransactionType',
    description:
      '`payment_in` is what a payment request received; `deposit` money at its address beside that, which came too ' +
      'late, after the outcome or in another asset, or a top-up of a refund float; `adjustment` takes back what of these ' +
      'has disappeared from the chain; `withdraw` is what was delivered to a settlement address; `refund` is paid back.',
  })
  type!: TransactionView['type'];

  @ApiProperty({
    enum: TRANSACTION_STATUSES,
    enumName: 'TransactionStatus',
    description:
      '`withdraw` and `refund` go from `processing` to `completed` or `failed`, and the record stays the same one; all ' +
      'others are `completed`.',
  })
  status!: TransactionView['status'];

  @ApiProperty({
    type: String,
    description:
      'What was received, in whole units of the asset; of a `withdraw` what it took from deposit addresses. With a minus ' +
      'for an `adjustment`: what is gone again.',
  })
  gross_amount!: string;

  @ApiProperty({
    type: String,
    description:
      'Gross less the service fee, which is rounded down; of a `withdraw` what reached the settlement address. With a minus for an `adjustment`, by which the sum is what is ' +
      'left after the fee of what still stands.',
  })
  net_amount!: string;

  @ApiProperty({
    type: String,
    description: 'What was requested; the gross amount where nothing was, as for all but `payment_in`.',
  })
  expected_amount!: string;

  @ApiProperty({ type: String, description: "The asset's symbol." })
  currency!: string;

  @ApiProperty({ type: String, required: false })
  network?: string;

  @ApiProperty({ type: String, required: false, description: 'Identifies asset and network.' })
  unique_asset_id?: string;

  @ApiProperty({ type: String, required: false, description: "The merchant's own id of the account." })
  account_external_id?: string;

  @ApiProperty({
    type: String,
    description:
      'Source address, EIP-55 on EVM networks; the zero address where the chain does not tell. An `adjustment` has the ' +
      'ends of what it takes back.',
  })
  from!: string;

  @ApiProperty({ enum: ENDPOINT_TYPES, enumName: 'TransactionEndpointType' })
  from_type!: TransactionView['fromType'];

  @ApiProperty({ type: String, description: 'Destination address, EIP-55 on EVM networks.' })
  to!: string;

  @ApiProperty({
    enum: ENDPOINT_TYPES,
    enumName: 'TransactionEndpointType',
    description:
      '`vault` is a deposit address, or the contract that pays deposit addresses out; a refund float is a `wallet`.',
  })
  to_type!: TransactionView['toType'];

  @ApiProperty({ enum: FINANCIAL_PROVIDERS, enumName: 'FinancialProvider' })
  financial_provider!: TransactionView['financialProvider'];

  @ApiProperty({
    type: String,
    required: false,
    description:
      'On-chain hash. Absent where value arrived inside a contract call, so that no transaction is known to have brought it.',
  })
  transaction_hash?: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    required: false,
    description: 'The payment request whose address the money was sent to, or that a `refund` is of.',
  })
  payment_request_id?: string;

  @ApiProperty({ type: String, required: false, description: "The merchant's own order id." })
  reference_id?: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    required: false,
    description:
      'The settlement that a `withdraw` records, or that delivered the money of this record; absent again if it fails.',
  })
  settlement_id?: string;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: string;
}

/** Fields that do not apply are absent: `undefined` leaves no trace in JSON. */
export function presentTransaction(transaction: TransactionView): TransactionDto {
  const amount = (value: bigint) => formatAmount(value, transaction.decimals);
  return {
    id: transaction.id,
    type: transaction.type,
    status: transaction.status,
    gross_amount: amount(transaction.grossAmount),
    net_amount: amount(transaction.netAmount),
    expected_amount: amount(transaction.expectedAmount),
    currency: transaction.currency,
    network: transaction.network ?? undefined,
    unique_asset_id: transaction.uniqueAssetId ?? undefined,
    account_external_id: transaction.accountExternalId ?? undefined,
    from: transaction.from,
    from_type: transaction.fromType,
    to: transaction.to,
    to_type: transaction.toType,
    financial_provider: transaction.financialProvider,
    transaction_hash: transaction.transactionHash ?? undefined,
    payment_request_id: transaction.paymentRequestId ?? undefined,
    reference_id: transaction.referenceId ?? undefined,
    settlement_id: transaction.settlementId ?? undefined,
    created_at: transaction.createdAt.toISOString(),
    updated_at: transaction.updatedAt.toISOString(),
  };
}
