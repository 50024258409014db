import { answer, Count, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type {
  ExplainedTransfer,
  Facts,
  ReadingShown,
  RequestCode,
  RequestExplanation,
  TransferCode,
} from '#contexts/payments/application/explanation/explanation-view.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { FULFILLED, STATUS } from '../../requests/http/checkout.dto.js';
import { computedOf, TransferDto } from '../../requests/http/transfer.dto.js';
import { DEPOSIT_REASONS } from '#contexts/payments/domain/requests/booking/deposit-reason-rule.js';

const TRANSFER_CODES: TransferCode[] = [
  ...(['confirming', 'awaiting_agreement', 'counted'] as const),
  'below_minimum',
  ...DEPOSIT_REASONS,
  'reversed',
];

export const REQUEST_CODES: RequestCode[] = [
  ...(['asset_not_selected', 'unseen', 'network_behind', 'short_by', 'confirming'] as const),
  ...(['awaiting_agreement', 'completed', 'overpaid_by', 'underpaid_by', 'expired_unpaid'] as const),
  'below_minimum',
  ...DEPOSIT_REASONS,
  ...(['failed', 'reversed'] as const),
];

export class ExplainedTransferDto extends TransferDto {
  @Field({ description: 'The deposit address that it was sent to (EIP-55).' })
  to!: string;

  @Field({
    enum: TRANSFER_CODES,
    enumName: 'TransferExplanationCode',
    description: 'What became of it. `counted`: final and part of what was received.',
  })
  code!: TransferCode;

  @Field({ description: 'The same in a sentence.' })
  summary!: string;
}

/** The summary in fields. Amounts are in `currency`. */
export class ExplanationFactsDto {
  @Field({ required: false, description: 'Asked for.', example: '12.5' })
  amount?: string;

  @Field({ required: false, example: 'USDC' })
  currency?: string;

  @Field({ required: false, example: EXAMPLE_ASSET })
  unique_asset_id?: string;

  @Field({ required: false, example: 'erc20' })
  network?: string;

  @Field({ required: false, description: 'Deposit address (EIP-55).' })
  address?: string;

  @Field({ description: 'Sum of the counted transfers, final or not.', example: '12.5' })
  received_amount!: string;

  @Field({ required: false, description: 'How much less than asked for.', example: '2.5' })
  missing_amount?: string;

  @Field({ required: false, description: 'How much more than asked for.', example: '0.5' })
  excess_amount?: string;

  @Field({
    required: false,
    type: 'integer',
    description: 'The fewest of a transfer that counts and is not final.',
  })
  confirmations?: number;

  @Field({ required: false, type: 'integer', description: 'From then on it is final.' })
  required_confirmations?: number;

  @Time()
  expires_at!: string;

  @Time({ required: false, description: 'The last block timestamp that counts.' })
  counts_until?: string;
}

/** How far this service has read a network. */
export class NetworkReadingDto {
  @Field({ example: 'erc20' })
  network!: string;

  @Field({
    required: false,
    type: 'integer',
    description: 'The newest block that was read; absent where none was.',
  })
  read_to_block?: number;

  @Time({ required: false, description: 'That block’s timestamp.' })
  read_to_time?: string;

  @Field({ required: false, type: 'integer', description: 'The newest block that can no longer disappear.' })
  final_block?: number;

  @Time({ required: false, description: 'That block’s timestamp.' })
  final_time?: string;

  @Count({ required: false, description: 'How old the newest block read is, in seconds.' })
  behind_seconds?: number;

  @Field({ description: 'It is not read at present, or is so far behind that it takes no new requests.' })
  is_behind!: boolean;

  @Time({
    required: false,
    description:
      'Since when two sources of the network have told different things; nothing becomes final meanwhile.',
  })
  disagrees_since?: string;
}

export class ExplanationDto {
  @Uuid()
  payment_request_id!: string;

  @Uuid()
  point_of_sale_id!: string;

  @Field({ required: false, example: 'order-1042' })
  reference_id?: string;

  @Field(STATUS)
  status!: PaymentRequestStatus;

  @Field(FULFILLED)
  fulfilled!: boolean;

  @Field({
    enum: REQUEST_CODES,
    enumName: 'ExplanationCode',
    description: 'Why it is or is not paid. Where several reasons hold, the one to act on.',
  })
  code!: RequestCode;

  @Field({ description: 'The same in a sentence, for people.' })
  summary!: string;

  @Field()
  facts!: ExplanationFactsDto;

  @Field({ type: [ExplainedTransferDto], description: 'As of the payment request; at most 100.' })
  transfers!: ExplainedTransferDto[];

  @Field({ type: [NetworkReadingDto], description: 'Those on which an address was shown.' })
  networks!: NetworkReadingDto[];
}

export function presentExplanation(explained: RequestExplanation): ExplanationDto {
  const { request, facts, transfers } = explained;
  return answer(
    ExplanationDto,
    { ...request, ...explained },
    {
      payment_request_id: request.id,
      facts: presentFacts(facts),
      transfers: transfers.map(presentExplainedTransfer),
      networks: request.networks.map(presentReading),
    },
  );
}

export function presentExplainedTransfer(transfer: ExplainedTransfer): ExplainedTransferDto {
  return answer(ExplainedTransferDto, transfer, computedOf(transfer));
}

function presentFacts({ asked, ...facts }: Facts): ExplanationFactsDto {
  const inAsset = (amount: bigint) => formatAmount(amount, asked?.decimals ?? 0);
  const ifKnown = (amount: bigint | undefined) => (amount === undefined ? undefined : inAsset(amount));
  return answer(
    ExplanationFactsDto,
    { ...asked, ...facts },
    {
      amount: ifKnown(asked?.amount),
      received_amount: inAsset(facts.receivedAmount),
      missing_amount: ifKnown(facts.missingAmount),
      excess_amount: ifKnown(facts.excessAmount),
    },
  );
}

export function presentReading({ network, read, ...reading }: ReadingShown): NetworkReadingDto {
  return {
    network,
    read_to_block: read?.toBlock,
    read_to_time: read?.toTime.toISOString(),
    final_block: read?.final?.block,
    final_time: read?.final?.time.toISOString(),
    behind_seconds: reading.behindSeconds,
    is_behind: reading.isBehind,
    disagrees_since: read?.disagreesSince?.toISOString(),
  };
}
