import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { DueAddress } from '../../domain/settling/due-money.js';

type BalanceKey = Pick<DueAddress, 'address' | 'uniqueAssetId'>;
/** The balance is that of the newest block. */
export type WithBalance<T extends BalanceKey> = T & { readonly balance: bigint };
export type DueAddressWithBalance = WithBalance<DueAddress>;

export interface BalanceReadResult<T extends BalanceKey> {
  readonly found: readonly WithBalance<T>[];
  readonly unreadable: readonly T[];
}

/**
 * A payout pays the full balance, including funds that are not booked yet. The plan uses the actual balance, so that
 * dust that anyone can send cannot delay a delivery.
 */
@Injectable()
export class ReadBalances {
  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  async read<T extends BalanceKey>(network: string, due: readonly T[]): Promise<BalanceReadResult<T>> {
    if (due.length === 0) return { found: [], unreadable: [] };
    const { reader } = this.chains.of(network);
    const { head } = await reader.head();
    const read = new Map<T, bigint | null>();
    for (const [id, of] of Map.groupBy(due, ({ uniqueAssetId }) => uniqueAssetId)) {
      const asset = this.catalogue.asset(id)!;
      const addresses = of.map(({ address }) => address);
      const balances = isNative(asset)
        ? await reader.balances(head.hash, addresses)
        : await reader.tokenBalances(head.hash, asset.token, addresses);
      of.forEach((each, i) => read.set(each, balances[i]!));
    }
    return {
      found: due.flatMap((each) => {
        const balance = read.get(each)!;
        return balance === null ? [] : [{ ...each, balance }];
      }),
      unreadable: due.filter((each) => read.get(each) === null),
    };
  }
}
