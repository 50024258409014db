import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { ChainReader } from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { DueAddress } from '../../domain/settling/due-money.js';

type Place = Pick<DueAddress, 'address' | 'uniqueAssetId'>;
/** With what the chain's newest block says is there. */
export type Found<T extends Place> = T & { readonly balance: bigint };
export type FoundAddress = Found<DueAddress>;

export interface ReadAddresses<T extends Place> {
  readonly found: readonly Found<T>[];
  /** Places whose token answers no balance of that address. */
  readonly unreadable: readonly T[];
}

/**
 * A payout always pays the whole balance. Where money has come since that is not booked yet (a late transfer, dust that
 * anybody can send), the plan is made of what is there: nobody can hold a delivery up by sending some more.
 */
@Injectable()
export class ReadBalances {
  constructor(
    private readonly reader: ChainReader,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** @throws ChainUnavailable */
  async read<T extends Place>(network: string, due: readonly T[]): Promise<ReadAddresses<T>> {
    if (due.length === 0) return { found: [], unreadable: [] };
    const { head } = await this.reader.head(network);
    const read = new Map<T, bigint | null>();
    for (const [id, of] of Map.groupBy(due, ({ uniqueAssetId }) => uniqueAssetId)) {
      const asset = this.catalogue.asset(id)!;
      const addresses = of.map(({ address }) => address);
      const balances = isNative(asset)
        ? await this.reader.balances(network, head.hash, addresses)
        : await this.reader.tokenBalances(network, head.hash, asset.token, addresses);
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
