import { answer, Count, Field, Time } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import type { BookedAs, TransferView } from '#contexts/payments/application/requests/payment-request-view.js';
import type { TransferKind } from '#contexts/payments/domain/requests/transfer.js';

export class TransferDto {
  @Field({
    enum: ['log', 'call', 'balance', 'output'],
    enumName: 'TransferKind',
    description:
      'How it was seen: `log`, a transfer that a token’s contract announced; `call`, native coin that a transaction ' +
      'sent; `balance`, native coin that a contract passed on, found by the balance of the address; `output`, an output ' +
      'of a Bitcoin transaction.',
  })
  kind!: TransferKind;

  @Field({
    required: false,
    description: 'Absent where `kind` is `balance`: the chain does not tell which transaction brought it.',
  })
  transaction_hash?: string;

  @Field({ description: 'In `currency`.', example: '12.5' })
  amount!: string;

  @Field({ description: 'Symbol of what was sent, which need not be what was asked for.', example: 'USDC' })
  currency!: string;

  @Field({ example: EXAMPLE_ASSET })
  unique_asset_id!: string;

  @Field({ example: 'erc20' })
  network!: string;

  @Field({
    description:
      'Sender (EIP-55). Where the chain names none, the zero address for `balance` and `unknown` for `output`.',
  })
  from!: string;

  @Count({ required: false, description: 'Absent while it is in no block.' })
  block_number?: number;

  @Time({
    required: false,
    description:
      'The block’s timestamp, by which it is in time or late unless it has `arrived_at`; on Bitcoin the median time past, ' +
      'about an hour earlier. Absent while it is in no block.',
  })
  block_time?: string;

  @Time({
    required: false,
    description:
      'When it was first seen, before or in a block. Only on networks whose transfers are followed before they are in a block.',
  })
  seen_at?: string;

  @Time({
    required: false,
    description: 'The time by which it is in time or late, where that is not block_time.',
  })
  arrived_at?: string;

  @Count({
    description: 'At most required_confirmations; 0 while it is in no block, and where it has disappeared.',
  })
  confirmations!: number;

  @Count({
    description: 'From then on it is final. At least 100 for an output of a coinbase transaction of Bitcoin.',
  })
  required_confirmations!: number;

  @Field({ description: 'It can no longer disappear.' })
  final!: boolean;

  @Field({ description: 'Part of received_amount: in time, in the asset asked for, before the outcome.' })
  counted!: boolean;

  @Field({
    required: false,
    enum: ['payment_in', 'deposit'],
    enumName: 'TransferBooking',
    description:
      'The type of transaction that books it: `payment_in` together with all that counts, `deposit` by itself, or ' +
      'together with those of the day in `gathered_on`. Absent while it is not booked.',
  })
  booked_as?: BookedAs;

  @Field({
    required: false,
    format: 'date',
    description:
      'Below the minimum of its asset: the UTC day with whose others it becomes one deposit, once that day is final.',
    example: '2026-01-31',
  })
  gathered_on?: string;

  @Time({
    required: false,
    description:
      'When it was seen to have disappeared from the chain although it was final; an `adjustment` has reversed its ' +
      'booking.',
  })
  reversed_at?: string;

  @Time()
  detected_at!: string;
}

/** Money to a request's address that is booked apart from the payment. */
export class DepositDto {
  @Field({ description: 'In `currency`.', example: '3' })
  amount!: string;

  @Field({ description: 'Symbol of what was sent.', example: 'DAI' })
  currency!: string;

  @Field({ example: 'nerc20_t0x6B175474E89094C44Da98b954EedeAC495271d0F' })
  unique_asset_id!: string;

  @Field({ example: 'erc20' })
  network!: string;

  @Field({ required: false, description: 'Absent where the chain does not tell.' })
  transaction_hash?: string;

  @Field({
    required: false,
    format: 'date',
    description:
      'Below the minimum of its asset: the UTC day whose transfers of one asset are one `deposit` transaction.',
    example: '2026-01-31',
  })
  gathered_on?: string;

  @Time()
  deposited_at!: string;
}

export function presentTransfer(transfer: TransferView): TransferDto {
  return answer(TransferDto, transfer, computedOf(transfer));
}

/** The fields of a transfer that are not its view's. */
export function computedOf(transfer: TransferView) {
  return { amount: formatAmount(transfer.amount, transfer.decimals), ...blockOf(transfer) };
}

function blockOf({ blockNumber, blockTime }: TransferView): Pick<TransferDto, 'block_number' | 'block_time'> {
  // What is in no block says so by leaving both out.
  if (blockNumber === Infinity) return { block_number: undefined, block_time: undefined };
  return { block_number: blockNumber, block_time: blockTime.toISOString() };
}

/** Presents the transfers that are booked as deposits and not reversed. */
export function presentDeposits(transfers: readonly TransferView[]): DepositDto[] {
  return transfers.flatMap(({ depositedAt, reversedAt, ...transfer }) =>
    depositedAt === undefined || reversedAt !== undefined
      ? []
      : answer(
          DepositDto,
          { ...transfer, depositedAt },
          { amount: formatAmount(transfer.amount, transfer.decimals) },
        ),
  );
}
