import { Injectable } from '@nestjs/common';
import { isNative, type Asset } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import {
  SettlementPolicies,
  type SettlementPolicy,
} from '#contexts/networks/contract/settlement-policies.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { parseDecimal } from '#shared/kernel/decimal.js';
import { Quotes } from '#contexts/rates/contract/quotes.js';
import type { SettlementMinimum } from '../../domain/settling/due-money.js';
import {
  MINIMUM_WITHOUT_PRICE,
  minimumAmounts,
  NATIVE_PAYOUT_GAS,
  TOKEN_PAYOUT_GAS,
  type PriceInNativeCoin,
} from '../../domain/settling/worth-settling.js';

export interface NetworkSettlementMinimums {
  readonly policy: SettlementPolicy;
  readonly terms: readonly SettlementMinimum[];
  /** In the smallest unit of the native coin. */
  readonly gasPrice: bigint;
  readonly nativeCoin: NativeCoin | null;
}

type NativeCoin = Pick<Asset, 'symbol' | 'decimals'>;

const PRICE_OF_NATIVE_COIN: PriceInNativeCoin = { digits: 1n, scale: 0 };

@Injectable()
export class FindSettlementMinimums {
  constructor(
    private readonly policies: SettlementPolicies,
    private readonly catalogue: NetworkCatalogue,
    private readonly chains: Chains,
    private readonly quotes: Quotes,
    private readonly clock: Clock,
  ) {}

  async find(network: string): Promise<NetworkSettlementMinimums> {
    const policy = this.policies.all().get(network);
    if (policy === undefined) {
      const message = `Nothing can be settled on "${network}". Use one of these networks: ${[...this.policies.all().keys()].join(', ')}.`;
      throw new DomainError('not_found', 'not_found', message);
    }
    const assets = this.catalogue.assets().filter((asset) => asset.network === network);
    const nativeCoin = assets.find(isNative) ?? this.catalogue.network(network)?.nativeCoin ?? null;
    const planning = this.chains.require(network, 'settlementPlanning');
    const [gasPrice, dataFee] = await Promise.all([planning.gasPrice(), planning.dataFeePerPayout()]);
    const { maxGasSharePercent } = policy;
    const terms = assets.map(async (asset) => {
      const price = nativeCoin && (await this.priceInNativeCoin(asset, nativeCoin));
      if (price === null) return { uniqueAssetId: asset.uniqueAssetId, minimum: MINIMUM_WITHOUT_PRICE };
      const minimum = minimumAmounts(price, asset.decimals, {
        gasPrice,
        dataFee,
        gas: isNative(asset) ? NATIVE_PAYOUT_GAS : (planning.payoutGas ?? TOKEN_PAYOUT_GAS),
        maxGasSharePercent,
        nativeDecimals: nativeCoin!.decimals,
      });
      return { uniqueAssetId: asset.uniqueAssetId, minimum };
    });
    return { policy, terms: await Promise.all(terms), gasPrice, nativeCoin };
  }

  private async priceInNativeCoin(asset: Asset, nativeCoin: NativeCoin): Promise<PriceInNativeCoin | null> {
    try {
      const rate = await this.quotes.quote(asset, nativeCoin.symbol, await this.clock.now());
      return rate === null ? PRICE_OF_NATIVE_COIN : parseDecimal(rate.price);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'rate_unavailable') return null;
      throw error;
    }
  }
}
