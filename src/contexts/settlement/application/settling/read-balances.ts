import { Injectable } from '@nestjs/common';
import { isNative } from '../../../../shared/kernel/asset.js';
import { ChainReader } from '../../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import type { DueAddress } from '../../domain/settling/due-money.js';

type Place = Pick<DueAddress, 'address' | 'uniqueAssetId'>;
/** With what the chain's newest block says is there. */
export type Found<T extends Place> = T & { readonly balance: bigint };
export type FoundAddress = Found<DueAddress>;

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
  async execute<T extends Place>(network: string, due: readonly T[]): Promise<Found<T>[]> {
    if (due.length === 0) return [];
    const { head } = await this.reader.head(network);
    const found = new Map<T, Found<T>>();
    for (const [id, of] of Map.groupBy(due, ({ uniqueAssetId }) => uniqueAssetId)) {
      const asset = this.catalogue.asset(id)!;
      const addresses = of.map(({ address }) => address);
      const balances = isNative(asset)
        ? await this.reader.balances(network, head.hash, addresses)
        : await this.reader.tokenBalances(network, head.hash, asset.token, addresses);
      of.forEach((each, i) => found.set(each, { ...each, balance: balances[i]! }));
    }
    return due.map((each) => found.get(each)!);
  }
}
