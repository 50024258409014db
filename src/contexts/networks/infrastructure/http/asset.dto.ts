import { answer, Count, Field } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { AssetView } from '../../application/list-assets.js';

export class AmountDepthDto {
  @Field({
    required: false,
    description: 'The largest amount that they are for, in whole units; absent: any amount above.',
    example: '0.01',
  })
  up_to?: string;

  @Count({ example: 1 })
  confirmations!: number;
}

export class AssetDto {
  @Field({
    description: 'Identifies asset and network; what requests and payment options name.',
    example: 'nerc20_t0xdAC17F958D2ee523a2206206994597C13D831ec7',
  })
  unique_asset_id!: string;

  @Field({ example: 'USDT' })
  symbol!: string;

  @Field({ example: 'Tether USD' })
  name!: string;

  @Field({
    type: 'integer',
    description: 'Fraction digits that an amount may have.',
    example: 6,
    minimum: 0,
    maximum: 255,
  })
  decimals!: number;

  @Field({ example: 'erc20' })
  network!: string;

  @Field({ example: 'Ethereum' })
  network_name!: string;

  @Field({ description: 'Least amount that can be requested, as a decimal string.', example: '0.01' })
  minimum_amount!: string;

  @Field({
    type: 'integer',
    description:
      'Confirmations after which a payment is final, however large. Where the network tells finality itself, what to ' +
      'expect.',
    example: 12,
    minimum: 0,
  })
  required_confirmations!: number;

  @Field({
    required: false,
    type: [AmountDepthDto],
    description:
      'Confirmations by the greater of what a request asks for and what the transfer brings, rising. Absent where they are ' +
      'the same for all amounts.',
  })
  confirmations_by_amount?: AmountDepthDto[];
}

export function presentAsset({ depths, ...asset }: AssetView): AssetDto {
  return answer(AssetDto, asset, {
    minimum_amount: formatAmount(asset.minimumAmount, asset.decimals),
    confirmations_by_amount: depths?.map(({ upTo, confirmations }) => ({
      ...(upTo !== undefined && { up_to: formatAmount(upTo, asset.decimals) }),
      confirmations,
    })),
  });
}
