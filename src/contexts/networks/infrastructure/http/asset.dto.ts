import { ApiProperty } from '@nestjs/swagger';
import { formatAmount } from '#shared/kernel/amount.js';
import type { AssetView } from '../../application/list-assets.js';

/** An asset that can be collected here. */
export class AssetDto {
  /**
   * Identifies asset and network; what requests and payment options name.
   * @example 'nerc20_t0xdAC17F958D2ee523a2206206994597C13D831ec7'
   */
  unique_asset_id!: string;

  /** @example 'USDT' */
  symbol!: string;

  /** @example 'Tether USD' */
  name!: string;

  /**
   * Fraction digits that an amount may have.
   * @example 6
   */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 255 })
  decimals!: number;

  /** @example 'erc20' */
  network!: string;

  /** @example 'Ethereum' */
  network_name!: string;

  /**
   * Least amount that can be requested, as a decimal string.
   * @example '0.01'
   */
  minimum_amount!: string;

  /**
   * Confirmations after which a payment is final. Where the network tells finality itself, what to expect.
   * @example 12
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
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
