import {
  answerFromView,
  CountField,
  AnswerField,
  TimestampField,
} from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import type {
  PostingKind,
  TransferView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import type { TransferKind } from '#contexts/chain-watching/contract/incoming-transfer.js';

export class TransferDto {
  @AnswerField(
    'How the transfer was detected. `log`: a Transfer event of a token contract. `call`: native coin sent ' +
      'directly by a transaction. `balance`: native coin sent by a contract, detected by the balance of the ' +
      'address. `output`: an output of a Bitcoin transaction.',
    { enum: ['log', 'call', 'balance', 'output'], enumName: 'TransferKind' },
  )
  kind!: TransferKind;

  @AnswerField(
    'Hash of the transaction. Absent if `kind` is `balance`, because the service does not know which ' +
      'transaction sent the funds.',
    { required: false, example: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b' },
  )
  transaction_hash?: string;

  @AnswerField('Amount of the transfer, in whole units of `currency`.', { example: '12.5' })
  amount!: string;

  @AnswerField('Symbol of the asset sent, which may differ from the requested one.', { example: 'USDC' })
  currency!: string;

  @AnswerField('Unique id of the asset sent.', { example: EXAMPLE_ASSET })
  unique_asset_id!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'erc20' })
  network!: string;

  @AnswerField(
    'Address of the sender (EIP-55). If the sender is not known, the zero address if `kind` is ' +
      '`balance`, or `unknown` if `kind` is `output`.',
    { example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  )
  from!: string;

  @CountField(
    'Number of the block that contains the transfer. Absent while the transfer is not in a block.',
    {
      required: false,
      example: 24_310_117,
    },
  )
  block_number?: number;

  @TimestampField(
    'Timestamp of the block that contains the transfer. Unless `arrived_at` is present, this time is ' +
      'used to decide whether the transfer arrived in time. On Bitcoin, it is the median time past of ' +
      'the block, which is about an hour ' +
      'behind. Absent while the transfer is not in a block.',
    { required: false, example: '2026-01-31T12:01:05.000Z' },
  )
  block_time?: string;

  @TimestampField(
    'Time when the transfer was first seen, in the mempool or in a block. Present only on networks whose ' +
      'mempool the service reads, such as Bitcoin.',
    { required: false },
  )
  seen_at?: string;

  @TimestampField(
    'Time used, instead of `block_time`, to decide whether the transfer arrived in time. Present only ' +
      'on networks ' +
      'whose mempool the service reads, such as Bitcoin.',
    { required: false },
  )
  arrived_at?: string;

  @CountField(
    'Confirmations so far, at most `required_confirmations`. 0 while the transfer is not in a block, and ' +
      'after it has disappeared from the chain.',
    { example: 12 },
  )
  confirmations!: number;

  @CountField(
    'Number of confirmations at which the transfer is final. At least 100 for an output of a Bitcoin ' +
      'coinbase transaction.',
    { example: 12 },
  )
  required_confirmations!: number;

  @AnswerField('Whether the transfer is final: it has enough confirmations to be considered permanent.', {
    example: true,
  })
  final!: boolean;

  @AnswerField(
    'Whether the transfer is part of `received_amount`: it is in the selected asset, and was received in ' +
      'time and before the payment request had its final status.',
    { example: true },
  )
  counted!: boolean;

  @AnswerField(
    'Type of the ledger transaction that records the transfer. `payment_in` records all counted transfers of ' +
      'the payment request together. `deposit` records one transfer, or all transfers of one day if ' +
      '`gathered_on` is present. Absent until the transfer is recorded.',
    { required: false, enum: ['payment_in', 'deposit'], enumName: 'TransferBooking' },
  )
  booked_as?: PostingKind;

  @AnswerField(
    'UTC day of the transfer’s block. Present only if the amount is below the asset’s minimum: such ' +
      'transfers are combined into one deposit per asset and day when all blocks of the day are final.',
    { required: false, format: 'date', example: '2026-01-31' },
  )
  gathered_on?: string;

  @TimestampField(
    'Time when the service detected that the transfer had disappeared from the chain after it was final. An ' +
      '`adjustment` then reverses the ledger transaction of the transfer. Absent if the transfer has not ' +
      'disappeared.',
    { required: false },
  )
  reversed_at?: string;

  @TimestampField('Time when the service detected the transfer.', { example: '2026-01-31T12:01:10.000Z' })
  detected_at!: string;
}

/** Funds sent to a request's address and booked apart from the payment. */
export class DepositDto {
  @AnswerField('Amount of the transfer, in whole units of `currency`.', { example: '3' })
  amount!: string;

  @AnswerField('Symbol of the asset sent.', { example: 'DAI' })
  currency!: string;

  @AnswerField('Unique id of the asset sent.', {
    example: 'nerc20_t0x6B175474E89094C44Da98b954EedeAC495271d0F',
  })
  unique_asset_id!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'erc20' })
  network!: string;

  @AnswerField(
    'Hash of the transaction. Absent for a transfer inside a contract call, because its transaction is ' +
      'not known.',
    { required: false, example: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b' },
  )
  transaction_hash?: string;

  @AnswerField(
    'UTC day of the transfer’s block. Present only if the amount is below the asset’s minimum. Such ' +
      'transfers are combined into one `deposit` transaction per asset and day.',
    { required: false, format: 'date', example: '2026-01-31' },
  )
  gathered_on?: string;

  @TimestampField('Time when the deposit was recorded.')
  deposited_at!: string;
}

export function presentTransfer(transfer: TransferView): TransferDto {
  return answerFromView(TransferDto, transfer, presentAmountAndBlock(transfer));
}

export function presentAmountAndBlock(transfer: TransferView) {
  return { amount: formatAmount(transfer.amount, transfer.decimals), ...presentBlock(transfer) };
}

function presentBlock({
  blockNumber,
  blockTime,
}: TransferView): Pick<TransferDto, 'block_number' | 'block_time'> {
  if (blockNumber === Infinity) return { block_number: undefined, block_time: undefined };
  return { block_number: blockNumber, block_time: blockTime.toISOString() };
}

export function presentDeposits(transfers: readonly TransferView[]): DepositDto[] {
  return transfers.flatMap(({ depositedAt, reversedAt, ...transfer }) =>
    depositedAt === undefined || reversedAt !== undefined
      ? []
      : answerFromView(
          DepositDto,
          { ...transfer, depositedAt },
          { amount: formatAmount(transfer.amount, transfer.decimals) },
        ),
  );
}
