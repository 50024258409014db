import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { MAX_LISTED_PAYMENTS, type SettlementView } from '../persistence/settlement-queries.js';
import type { SettlementStatus } from '#contexts/settlement/contract/settlement-events.js';

const STATUSES: readonly SettlementStatus[] = ['pending', 'processing', 'completed', 'failed'];

export class SettledPaymentAnswer {
  @UuidField('Id of the payment request whose funds were delivered.')
  payment_request_id!: string;

  @AnswerField({
    example: '24.75',
    description: 'Amount delivered to the settlement address, in whole units of the asset.',
  })
  amount!: string;

  @AnswerField({
    example: '0.25',
    description: 'Service fee delivered to the fee recipient, in whole units of the asset.',
  })
  fee_amount!: string;
}

export class SettlementAnswer {
  @UuidField('Unique id of the settlement.')
  id!: string;

  @UuidField('Id of the account whose funds were delivered.')
  account_id!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'polygon' })
  network!: string;

  @AnswerField({
    example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    description: 'Unique id of the asset on its network.',
  })
  unique_asset_id!: string;

  @AnswerField({ example: 'USDC', description: 'Symbol of the asset.' })
  currency!: string;

  @AnswerField({
    example: '24.75',
    description: 'Amount delivered to the settlement address, in whole units of the asset.',
  })
  amount!: string;

  @AnswerField({
    example: '0.25',
    description:
      'Service fee on the payments of the settlement, delivered to the fee recipient, in whole units of the ' +
      'asset.',
  })
  fee_amount!: string;

  @AnswerField({
    example: '0x52908400098527886E0F7030069857D2E4169EE7',
    description: 'Address that received the funds, in EIP-55 form on EVM networks.',
  })
  settlement_address!: string;

  @AnswerField(
    'Status of the settlement. `pending`: reserved for future use. `processing`: the transaction is in ' +
      'a block that is not ' +
      'final yet. `completed`: the block is final. `failed`: the block was removed from the chain, and the ' +
      'funds are back at the deposit addresses.',
    { enum: STATUSES, enumName: 'SettlementStatus' },
  )
  status!: SettlementStatus;

  @AnswerField('Hash of the transaction that delivered the funds.', { required: false })
  transaction_hash?: string;

  @AnswerField({
    type: 'integer',
    minimum: 1,
    example: 1,
    description: 'Total number of payments, including those not listed in `payments`.',
  })
  payment_count!: number;

  @AnswerField('Payments of the settlement, at most 100.', {
    type: [SettledPaymentAnswer],
    maxItems: MAX_LISTED_PAYMENTS,
  })
  payments!: SettledPaymentAnswer[];

  @TimestampField('Time when the settlement was recorded.')
  created_at!: string;

  @TimestampField('Time of the last change.')
  updated_at!: string;
}

export const SETTLEMENT_EXAMPLE: SettlementAnswer = {
  id: '0193b2f9-3c52-7a41-9d6e-1f2a3b4c5d6e',
  account_id: '0193b2f4-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
  network: 'polygon',
  unique_asset_id: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  currency: 'USDC',
  amount: '24.75',
  fee_amount: '0.25',
  settlement_address: '0x52908400098527886E0F7030069857D2E4169EE7',
  status: 'completed',
  transaction_hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  payment_count: 1,
  payments: [
    { payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f', amount: '24.75', fee_amount: '0.25' },
  ],
  created_at: '2026-01-15T09:35:02.110Z',
  updated_at: '2026-01-15T09:35:44.020Z',
};

export function presentSettlement(settlement: SettlementView): SettlementAnswer {
  const amounts = (of: { readonly amount: bigint; readonly feeAmount: bigint }) => ({
    amount: formatAmount(of.amount, settlement.decimals),
    fee_amount: formatAmount(of.feeAmount, settlement.decimals),
  });
  return answerFromView(SettlementAnswer, settlement, {
    ...amounts(settlement),
    settlement_address: toDisplayAddress(settlement.settlementAddress),
    payments: settlement.payments.map((payment) =>
      answerFromView(SettledPaymentAnswer, payment, amounts(payment)),
    ),
  });
}
