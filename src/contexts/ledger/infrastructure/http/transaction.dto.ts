import { IntersectionType } from '@nestjs/swagger';
import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import {
  IsMerchantAccountFilter,
  CreatedRangeQuery,
  toCreatedRange,
  IsReferenceId,
} from '#shared/platform/http/validation/shared-fields.js';
import { IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import { requiredPageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import type { TransactionFilter, TransactionView } from '../../application/transaction-view.js';
import {
  TRANSACTION_PARTY_TYPES,
  FINANCIAL_PROVIDERS,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type TransactionStatus,
  type TransactionType,
} from '../../domain/transaction.js';

const MIN_PAGE_SIZE = 5;

export class TransactionFilterQuery extends CreatedRangeQuery {
  @IsMerchantAccountFilter('records', '0193b2f4-1c2d-7e3f-8a4b-5c6d7e8f9a0b')
  accountID?: string;

  @IsOneOf(TRANSACTION_TYPES, 'Only transactions of this type.', { optional: true, example: 'payment_in' })
  type?: TransactionType;

  @IsOneOf(TRANSACTION_STATUSES, 'Only transactions with this status.', {
    optional: true,
    example: 'completed',
  })
  status?: TransactionStatus;

  @IsReferenceId('Only transactions with exactly this `reference_id`.')
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

export class TransactionDto {
  @UuidField('Unique id of the transaction.')
  id!: string;

  @AnswerField(
    'Type of the record:\n\n' +
      '- `payment_in`: funds received by a payment request.\n' +
      '- `deposit`: funds received outside the payment (late, after the outcome, or in another asset), or a ' +
      'top-up of a refund float.\n' +
      '- `adjustment`: reversal of a `payment_in` or `deposit` whose transfer disappeared from the chain.\n' +
      '- `withdraw`: a delivery to a settlement address, or a withdrawal from a refund float.\n' +
      '- `refund`: a refund to a payer.\n' +
      '- `payment_out`, `swap` and `dry_run`: reserved for future use.\n\n' +
      'Ignore types that you do not know.',
    { enum: TRANSACTION_TYPES, enumName: 'TransactionType' },
  )
  type!: TransactionView['type'];

  @AnswerField(
    'Status of the record. A `withdraw` or `refund` starts as `processing`, and the same record then becomes ' +
      '`completed` or `failed`. Records of all other types are always `completed`. All other values are ' +
      'reserved for future use.',
    { enum: TRANSACTION_STATUSES, enumName: 'TransactionStatus' },
  )
  status!: TransactionView['status'];

  @AnswerField({
    example: '25',
    description:
      'Amount received or paid, in whole units of the asset. For a `withdraw`, the amount taken from the ' +
      'deposit addresses. Negative for an `adjustment`: the amount reversed.',
  })
  gross_amount!: string;

  @AnswerField({
    example: '24.75',
    description:
      'Gross amount less the service fee, which is rounded down. For a `withdraw`, the amount that reaches the ' +
      'settlement address. Negative for an `adjustment`: the change in net amount.',
  })
  net_amount!: string;

  @AnswerField({
    example: '25',
    description: 'Requested amount if `type` is `payment_in`. For all other types, the gross ' + 'amount.',
  })
  expected_amount!: string;

  @AnswerField({ example: 'USDC', description: 'Symbol of the asset.' })
  currency!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { required: false, example: 'polygon' })
  network?: string;

  @AnswerField({
    required: false,
    example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    description: 'Unique id of the asset on its network.',
  })
  unique_asset_id?: string;

  @AnswerField({
    required: false,
    example: 'store-berlin',
    description: 'Your own id for the account when the record was written. Absent if none was set.',
  })
  account_external_id?: string;

  @AnswerField({
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    description:
      'Source address, in EIP-55 form on EVM networks. The zero address if the source is unknown. An ' +
      '`adjustment` has the addresses of the record that it reverses.',
  })
  from!: string;

  @AnswerField({ enum: TRANSACTION_PARTY_TYPES, enumName: 'TransactionEndpointType' })
  from_type!: TransactionView['fromType'];

  @AnswerField({
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    description: 'Destination address, in EIP-55 form on EVM networks.',
  })
  to!: string;

  @AnswerField(
    'Kind of address. `vault`: a deposit address, or the contract that pays out deposit addresses. ' +
      '`settlement_address`: your own wallet. `wallet`: any other address, including a refund float.',
    { enum: TRANSACTION_PARTY_TYPES, enumName: 'TransactionEndpointType' },
  )
  to_type!: TransactionView['toType'];

  @AnswerField('Provider that moved the funds.', { enum: FINANCIAL_PROVIDERS, enumName: 'FinancialProvider' })
  financial_provider!: TransactionView['financialProvider'];

  @AnswerField(
    'Hash of the transaction on the chain. Absent for a transfer inside a contract call, because its ' +
      'transaction is not known. Also absent until a refund or withdrawal has a transaction.',
    { required: false },
  )
  transaction_hash?: string;

  @UuidField(
    'Id of the payment request that received the funds, or that a `refund` belongs to. Absent for all other ' +
      'records.',
    { required: false },
  )
  payment_request_id?: string;

  @AnswerField({
    required: false,
    example: 'order-1042',
    description: 'Your `reference_id` of the payment request. Absent if none was set.',
  })
  reference_id?: string;

  @UuidField(
    'Id of the settlement that this `withdraw` records, or of the settlement that delivered the funds of ' +
      'this record. Absent until the funds are delivered. If the settlement fails, it is absent again.',
    { required: false },
  )
  settlement_id?: string;

  @AnswerField({
    required: false,
    example: '2026-01',
    description:
      'Month to which the record belongs, as `YYYY-MM`. Present only if that month had already been ' +
      'closed when the record was written: the record is then counted in a later month.',
  })
  booked_for?: string;

  @TimestampField('Time when the record was written.')
  created_at!: string;

  @TimestampField('Time of the last change of `status` or `transaction_hash`.')
  updated_at!: string;
}

export function presentTransaction(transaction: TransactionView): TransactionDto {
  const amount = (value: bigint) => formatAmount(value, transaction.decimals);
  return answerFromView(TransactionDto, transaction, {
    gross_amount: amount(transaction.grossAmount),
    net_amount: amount(transaction.netAmount),
    expected_amount: amount(transaction.expectedAmount),
  });
}
