import { answer, Count, Field, Time } from '#shared/platform/http/answers/answer.js';
import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Facts, ReadingShown } from '#contexts/payments/application/explanation/explanation-view.js';

/** Fields of the summary. Amounts are in `currency`. */
export class ExplanationFactsDto {
  @Field({
    required: false,
    description: 'Requested amount, in whole units of `currency`. Absent until an asset is selected.',
    example: '12.5',
  })
  amount?: string;

  @Field({
    required: false,
    description:
      'Symbol of the requested asset. All amounts of the explanation are in whole units of this asset. Absent ' +
      'until an asset is selected.',
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
    description:
      'Total of all counted transfers, including those that are not final, in whole units of `currency`.',
    example: '12.5',
  })
  received_amount!: string;

  @Field({
    required: false,
    description:
      'Amount that remains to be paid, in whole units of `currency`. Absent if enough has been received.',
    example: '2.5',
  })
  missing_amount?: string;

  @Field({
    required: false,
    description:
      'Amount received in excess of the requested amount, in whole units of `currency`. Absent if there is no ' +
      'excess.',
    example: '0.5',
  })
  excess_amount?: string;

  @Field({
    required: false,
    type: 'integer',
    description:
      'Lowest number of confirmations among the counted transfers that are not final. Absent if there is no ' +
      'such transfer.',
    example: 3,
  })
  confirmations?: number;

  @Field({
    required: false,
    type: 'integer',
    description:
      'Number of confirmations at which the transfer with the fewest confirmations is final. Absent if ' +
      '`confirmations` is absent.',
    example: 12,
  })
  required_confirmations?: number;

  @Time({ description: 'End of the payment window.', example: '2026-01-31T12:08:00.000Z' })
  expires_at!: string;

  @Time({
    required: false,
    description:
      'Latest time at which a transfer still counts. It is compared with the timestamp of the transfer’s block ' +
      'or, on Bitcoin, with the time when the transfer is first seen. Absent until an asset is selected.',
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
    description: 'Number of the latest block that the service has read. Absent if it has read no block yet.',
    example: 24_310_119,
  })
  read_to_block?: number;

  @Time({
    required: false,
    description: 'Timestamp of the block in `read_to_block`. Absent if the service has read no block yet.',
    example: '2026-01-31T12:01:29.000Z',
  })
  read_to_time?: string;

  @Field({
    required: false,
    type: 'integer',
    description: 'Number of the latest final block. Absent if there is no final block yet.',
    example: 24_310_108,
  })
  final_block?: number;

  @Time({
    required: false,
    description: 'Timestamp of the block in `final_block`. Absent if there is no final block yet.',
    example: '2026-01-31T11:59:17.000Z',
  })
  final_time?: string;

  @Count({
    required: false,
    description:
      'Age of the latest block that the service has read, in seconds. Absent if it has read no block yet.',
    example: 11,
  })
  behind_seconds?: number;

  @Field({
    description:
      'True if the network is not being read, or if the service is so far behind the network that it accepts ' +
      'no new payment requests on it.',
    example: false,
  })
  is_behind!: boolean;

  @Time({
    required: false,
    description:
      'Time since which two RPC endpoints of the network have disagreed. No transfer becomes final until they ' +
      'agree. Absent if they agree.',
  })
  disagrees_since?: string;
}

export function presentFacts({ asked, ...facts }: Facts): ExplanationFactsDto {
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
