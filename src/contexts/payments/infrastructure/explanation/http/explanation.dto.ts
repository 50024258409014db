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

/** The same text wherever the code is answered: the document has one description of it. */
export const EXPLANATION_CODE =
  'Why the payment request is or is not paid. If several reasons apply, the one to act on. `asset_not_selected`: the payer has ' +
  'not selected an asset. `unseen`: no transfer seen. `network_behind`: the network has not been read far enough to tell. ' +
  '`short_by`: less than requested received so far. `confirming`: enough received, not final yet. `awaiting_agreement`: waits ' +
  'for a cross-check by a second RPC endpoint or a second balance check, or until endpoints that disagree agree again. `completed`, ' +
  '`overpaid_by`, `underpaid_by`: ended with that result. `expired_unpaid`: ended without any transfer. `below_minimum`, ' +
  '`late`, `after_outcome`, `other_asset`: unpaid, but a transfer was received that does not count for this reason. `failed`: ' +
  'the asset or network was withdrawn. `reversed`: the payment disappeared from the chain after it was final.';

export class ExplainedTransferDto extends TransferDto {
  @Field({
    description: 'Deposit address that the transfer was sent to (EIP-55).',
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  to!: string;

  @Field({
    enum: TRANSFER_CODES,
    enumName: 'TransferExplanationCode',
    description:
      'State of the transfer. `confirming`: counts, and is not final yet. `awaiting_agreement`: waits for a cross-check by ' +
      'a second RPC endpoint or a second balance check, or until endpoints that disagree agree again. `counted`: final and part of the payment. ' +
      '`below_minimum`: the total received is below the asset’s minimum. `late`: received after the deadline. ' +
      '`after_outcome`: received after the request had ended or while it was being paid in another asset. `other_asset`: in an ' +
      'asset that was not requested. `reversed`: disappeared from the chain after it was final.',
  })
  code!: TransferCode;

  @Field({
    description: 'The same in a sentence, for people.',
    example: '10 USDC in block 24310117 of erc20 counts, and has 3 of 12 confirmations.',
  })
  summary!: string;
}

/** The summary in fields. Amounts are in `currency`. */
export class ExplanationFactsDto {
  @Field({
    required: false,
    description: 'Requested amount. Absent until an asset is selected.',
    example: '12.5',
  })
  amount?: string;

  @Field({
    required: false,
    description:
      'Symbol of the requested asset. All amounts are in whole units of it. Absent until an asset is selected.',
    example: 'USDC',
  })
  currency?: string;

  @Field({
    required: false,
    description: 'Unique id of the requested asset. Absent until an asset is selected.',
    example: EXAMPLE_ASSET,
  })
  unique_asset_id?: string;

  @Field({
    required: false,
    description: 'Network id, such as `erc20` or `polygon`. Absent until an asset is selected.',
    example: 'erc20',
  })
  network?: string;

  @Field({
    required: false,
    description: 'Deposit address (EIP-55). Absent until an asset is selected.',
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  address?: string;

  @Field({
    description: 'Total of all counted transfers, including those that are not final.',
    example: '12.5',
  })
  received_amount!: string;

  @Field({
    required: false,
    description: 'Remaining amount. Absent if enough has been received.',
    example: '2.5',
  })
  missing_amount?: string;

  @Field({
    required: false,
    description: 'Amount received in excess. Absent if there is none.',
    example: '0.5',
  })
  excess_amount?: string;

  @Field({
    required: false,
    type: 'integer',
    description:
      'Lowest number of confirmations among counted transfers that are not final. Absent if there are none.',
    example: 3,
  })
  confirmations?: number;

  @Field({
    required: false,
    type: 'integer',
    description: 'Confirmations at which that transfer is final.',
    example: 12,
  })
  required_confirmations?: number;

  @Time({ description: 'End of the payment window.', example: '2026-01-31T12:08:00.000Z' })
  expires_at!: string;

  @Time({
    required: false,
    description:
      'Latest time at which a transfer still counts, by its block timestamp (on Bitcoin, when it is first seen). Absent ' +
      'until an asset is selected.',
    example: '2026-01-31T12:09:00.000Z',
  })
  counts_until?: string;
}

/** How far this service has read a network. */
export class NetworkReadingDto {
  @Field({ description: 'Network id, such as `erc20` or `polygon`.', example: 'erc20' })
  network!: string;

  @Field({
    required: false,
    type: 'integer',
    description: 'Latest block that the service has read. Absent if it has read none.',
    example: 24_310_119,
  })
  read_to_block?: number;

  @Time({
    required: false,
    description: 'Timestamp of the block in `read_to_block`.',
    example: '2026-01-31T12:01:29.000Z',
  })
  read_to_time?: string;

  @Field({
    required: false,
    type: 'integer',
    description: 'Latest final block. Absent if there is none yet.',
    example: 24_310_108,
  })
  final_block?: number;

  @Time({
    required: false,
    description: 'Timestamp of the block in `final_block`.',
    example: '2026-01-31T11:59:17.000Z',
  })
  final_time?: string;

  @Count({ required: false, description: 'Age of the latest block read, in seconds.', example: 11 })
  behind_seconds?: number;

  @Field({
    description:
      'Whether the network is not being read, or the service is so far behind that it accepts no new payment requests on it.',
    example: false,
  })
  is_behind!: boolean;

  @Time({
    required: false,
    description:
      'Since when two RPC endpoints of the network have disagreed. No transfer becomes final until they agree. Absent if they ' +
      'agree.',
  })
  disagrees_since?: string;
}

export class ExplanationDto {
  @Uuid({ description: 'Id of the payment request.' })
  payment_request_id!: string;

  @Uuid({ description: 'Id of the point of sale.', example: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90' })
  point_of_sale_id!: string;

  @Field({
    required: false,
    description: 'Your own order id. Absent if you sent none.',
    example: 'order-1042',
  })
  reference_id?: string;

  @Field(STATUS)
  status!: PaymentRequestStatus;

  @Field(FULFILLED)
  fulfilled!: boolean;

  @Field({
    enum: REQUEST_CODES,
    enumName: 'ExplanationCode',
    description: EXPLANATION_CODE,
  })
  code!: RequestCode;

  @Field({
    description: 'The same in a sentence, for people.',
    example:
      '10 USDC of 12.5 USDC was received, 2.5 USDC is missing; what arrives in a block up to 2026-01-31 12:09:00 UTC counts.',
  })
  summary!: string;

  @Field({ description: 'Facts behind the explanation.' })
  facts!: ExplanationFactsDto;

  @Field({
    type: [ExplainedTransferDto],
    description: 'Transfers to the addresses of the payment request, at most 100.',
  })
  transfers!: ExplainedTransferDto[];

  @Field({
    type: [NetworkReadingDto],
    description: 'Networks on which the payer was given an address, with how far each has been read.',
  })
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
