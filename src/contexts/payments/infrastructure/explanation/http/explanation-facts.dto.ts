import {
  answerFromView,
  CountField,
  AnswerField,
  TimestampField,
} from '#shared/platform/http/answers/answer.js';
import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type {
  ExplanationFacts,
  DisplayedReadProgress,
} from '#contexts/payments/application/explanation/explanation-view.js';

export class ExplanationFactsDto {
  @AnswerField('Requested amount, in whole units of `currency`. Absent until an asset is selected.', {
    required: false,
    example: '12.5',
  })
  amount?: string;

  @AnswerField(
    'Symbol of the requested asset. All amounts of the explanation are in whole units of this asset. Absent ' +
      'until an asset is selected.',
    { required: false, example: 'USDC' },
  )
  currency?: string;

  @AnswerField('Unique id of the requested asset. Absent until an asset is selected.', {
    required: false,
    example: EXAMPLE_ASSET,
  })
  unique_asset_id?: string;

  @AnswerField('Network id, such as `erc20` or `polygon`. Absent until an asset is selected.', {
    required: false,
    example: 'erc20',
  })
  network?: string;

  @AnswerField('Deposit address (EIP-55). Absent until an asset is selected.', {
    required: false,
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  address?: string;

  @AnswerField(
    'Total of all counted transfers, including those that are not final, in whole units of `currency`.',
    { example: '12.5' },
  )
  received_amount!: string;

  @AnswerField(
    'Amount that remains to be paid, in whole units of `currency`. Absent if enough has been received.',
    { required: false, example: '2.5' },
  )
  missing_amount?: string;

  @AnswerField(
    'Amount received in excess of the requested amount, in whole units of `currency`. Absent if there is no ' +
      'excess.',
    { required: false, example: '0.5' },
  )
  excess_amount?: string;

  @AnswerField(
    'Lowest number of confirmations among the counted transfers that are not final. Absent if there is no ' +
      'such transfer.',
    { required: false, type: 'integer', example: 3 },
  )
  confirmations?: number;

  @AnswerField(
    'Number of confirmations at which the transfer with the fewest confirmations is final. Absent if ' +
      '`confirmations` is absent.',
    { required: false, type: 'integer', example: 12 },
  )
  required_confirmations?: number;

  @TimestampField('End of the payment window.', { example: '2026-01-31T12:08:00.000Z' })
  expires_at!: string;

  @TimestampField(
    'Latest time at which a transfer still counts. It is compared with the timestamp of the transfer’s block ' +
      'or, on Bitcoin, with the time when the transfer is first seen. Absent until an asset is selected.',
    { required: false, example: '2026-01-31T12:09:00.000Z' },
  )
  counts_until?: string;
}

export class NetworkReadingDto {
  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'erc20' })
  network!: string;

  @AnswerField('Number of the latest block that the service has read. Absent if it has read no block yet.', {
    required: false,
    type: 'integer',
    example: 24_310_119,
  })
  read_to_block?: number;

  @TimestampField('Timestamp of the block in `read_to_block`. Absent if the service has read no block yet.', {
    required: false,
    example: '2026-01-31T12:01:29.000Z',
  })
  read_to_time?: string;

  @AnswerField('Number of the latest final block. Absent if there is no final block yet.', {
    required: false,
    type: 'integer',
    example: 24_310_108,
  })
  final_block?: number;

  @TimestampField('Timestamp of the block in `final_block`. Absent if there is no final block yet.', {
    required: false,
    example: '2026-01-31T11:59:17.000Z',
  })
  final_time?: string;

  @CountField(
    'Age of the latest block that the service has read, in seconds. Absent if it has read no block yet.',
    { required: false, example: 11 },
  )
  behind_seconds?: number;

  @AnswerField(
    'True if the network is not being read, or if the service is so far behind the network that it accepts ' +
      'no new payment requests on it.',
    { example: false },
  )
  is_behind!: boolean;

  @TimestampField(
    'Time since which two RPC endpoints of the network have disagreed. No transfer becomes final until they ' +
      'agree. Absent if they agree.',
    { required: false },
  )
  disagrees_since?: string;
}

export function presentFacts({ asked, ...facts }: ExplanationFacts): ExplanationFactsDto {
  const inAsset = (amount: bigint) => formatAmount(amount, asked?.decimals ?? 0);
  const ifKnown = (amount: bigint | undefined) => (amount === undefined ? undefined : inAsset(amount));
  return answerFromView(
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

export function presentNetworkReading({
  network,
  read,
  ...reading
}: DisplayedReadProgress): NetworkReadingDto {
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
