import { ApiProperty } from '@nestjs/swagger';
import { formatAmount } from '#shared/kernel/amount.js';
import type { AssetView } from '../../application/list-assets.js';

export class AssetDto {
  @ApiProperty({
    description: 'Identifies asset and network; what requests and payment options name.',
    example: 'nerc20_t0xdAC17F958D2ee523a2206206994597C13D831ec7',
  })
  unique_asset_id!: string;

  @ApiProperty({ example: 'USDT' })
  symbol!: string;

  @ApiProperty({ example: 'Tether USD' })
  name!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Fraction digits that an amount may have.',
    example: 6,
    minimum: 0,
    maximum: 255,
  })
  decimals!: number;

  @ApiProperty({ example: 'erc20' })
  network!: string;

  @ApiProperty({ example: 'Ethereum' })
  network_name!: string;

  @ApiProperty({
    description: 'Least amount that can be requested, as a decimal string.',
    example: '0.01',
  })
  minimum_amount!: string;

  @ApiProperty({
    type: 'integer',
    description:
      'Confirmations after which a payment is final. Where the network tells finality itself, what to expect.',
    example: 12,
    minimum: 0,
  })
  required_confirmations!: number;
}

export function presentAsset(asset: AssetView): AssetDto {
  return {
    unique_asset_id: asset.uniqueAssetId,
    symbol: asset.symbol,
    name: asset.name,
    decimals: asset.decimals,
    network: asset.network,
    network_name: asset.networkName,
    minimum_amount: formatAmount(asset.minimumAmount, asset.decimals),
    required_confirmations: asset.requiredConfirmations,
  };
}
