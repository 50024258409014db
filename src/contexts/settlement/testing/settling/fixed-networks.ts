import type { ChainReader } from '#contexts/networks/contract/chain-reader.js';
import {
  GasPrices,
  SettlementPolicies,
  type SettlementPolicy,
} from '#contexts/networks/contract/settlement-policies.js';
import { InternalTransferLook } from '#contexts/payments/contract/internal-transfer-look.js';
import {
  ReadingProgress,
  type NetworkDues,
  type NetworkReading,
} from '#contexts/payments/contract/reading-progress.js';
import { rateUnavailable } from '#contexts/rates/contract/exchange-rates.js';
import { Quotes, type Rate } from '#contexts/rates/contract/quotes.js';

export class FixedPolicies extends SettlementPolicies {
  policy: SettlementPolicy = { everySeconds: 1, maxGasSharePercent: 1, afterHours: 24, isPaused: false };

  override all(): ReadonlyMap<string, SettlementPolicy> {
    return new Map([['sandbox', this.policy]]);
  }
}

export class FixedGasPrices extends GasPrices {
  /** 1 gwei. */
  price = 1_000_000_000n;

  override async now(): Promise<bigint> {
    return this.price;
  }
}

/** One dollar is a thousandth of the native coin. */
export class FixedQuotes extends Quotes {
  price: string | null = '0.001';

  override async quote(asset: { symbol: string }, coin: string): Promise<Rate | null> {
    if (asset.symbol === coin) return null;
    if (this.price === null) throw rateUnavailable(asset.symbol, coin);
    return { price: this.price, sources: ['test'], at: new Date() };
  }

  override known(): undefined {
    return undefined;
  }
}

/** Every address was compared, unless a test says which were. */
export class FixedLook extends InternalTransferLook {
  compared: ReadonlySet<string> | 'all' = 'all';
  asked: string[] = [];

  override async comparedSince(_network: string, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    this.asked.push(...addresses);
    const { compared } = this;
    return new Set(compared === 'all' ? addresses : addresses.filter((address) => compared.has(address)));
  }
}

export class FixedReading extends ReadingProgress {
  finalNumber: number | null = null;

  override async readings(): Promise<NetworkReading[]> {
    return [{ network: 'sandbox', finalNumber: this.finalNumber } as NetworkReading];
  }

  override async dues(): Promise<NetworkDues[]> {
    return [];
  }
}

/** Balances of addresses, in any asset. */
export class FixedBalances {
  private readonly held = new Map<string, bigint | null>();

  /** @param amount null: the token shows no balance of it */
  hold(address: string, amount: bigint | null): void {
    this.held.set(address, amount);
  }

  reader(): ChainReader {
    const of = async (addresses: readonly string[]) =>
      addresses.map((each) => {
        const held = this.held.get(each);
        return held === undefined ? 0n : held;
      });
    return {
      head: async () => ({ head: { hash: '0xb' }, finalNumber: null }),
      balances: (_network: string, _hash: string, addresses: readonly string[]) => of(addresses),
      tokenBalances: (_network: string, _hash: string, _token: string, addresses: readonly string[]) =>
        of(addresses),
    } as unknown as ChainReader;
  }
}
