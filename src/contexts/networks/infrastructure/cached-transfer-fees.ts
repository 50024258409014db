import { AsyncLocalStorage } from 'node:async_hooks';
import { type Asset, isNative } from '#shared/kernel/asset.js';
import type { ChainTypes, TransferFeeEstimates, TransferFeeEstimator } from '../application/chain-types.js';
import { type TransferFee, TransferFees } from '../contract/transfer-fees.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { NETWORKS_LOG_EVENTS } from './log-events.js';

const REFRESH_AFTER_MS = 60_000;
/** Older prices are useless as a hint. */
const MAX_PRICE_AGE_MS = 10 * 60_000;

interface CachedPrices {
  askedAt: number;
  readAt: number;
  prices: TransferFeeEstimates | null;
}

/** Times are milliseconds of the monotonic clock, not of `Clock`. */
export class CachedTransferFees extends TransferFees {
  private readonly log = new OperatorLogWriter('transfer fees', NETWORKS_LOG_EVENTS);
  private readonly byNetwork = new Map<string, CachedPrices>();
  /** Runs refreshes outside the async context of the request that triggered them. */
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(
    private readonly chainTypes: ChainTypes,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    super();
  }

  cachedFee(asset: Asset): TransferFee | undefined {
    const pricing = this.chainTypes.family(asset.network).transferPricing;
    if (pricing === undefined || pricing === null) return undefined;
    const now = this.elapsed();
    const remembered = this.remembered(asset.network);
    if (now - remembered.askedAt >= REFRESH_AFTER_MS) {
      remembered.askedAt = now;
      void this.outside(() => this.ask(pricing, asset.network, remembered));
    }
    const { prices, readAt } = remembered;
    if (prices === null || now - readAt >= MAX_PRICE_AGE_MS) return undefined;
    return { amount: isNative(asset) ? prices.native : prices.token, coin: prices.coin };
  }

  private remembered(network: string): CachedPrices {
    const known = this.byNetwork.get(network);
    if (known !== undefined) return known;
    const nothing = { askedAt: -Infinity, readAt: -Infinity, prices: null };
    this.byNetwork.set(network, nothing);
    return nothing;
  }

  private async ask(pricing: TransferFeeEstimator, network: string, remembered: CachedPrices): Promise<void> {
    try {
      remembered.prices = await pricing.estimate(network);
      remembered.readAt = this.elapsed();
    } catch (error) {
      this.log.write('network.gas_price_unknown', { network, reason: String(error) });
    }
  }
}
