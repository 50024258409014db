import { Injectable } from '@nestjs/common';
import { isNative, type Asset } from '../../../../shared/kernel/asset.js';
import { ZERO_ADDRESS } from '../../../../shared/kernel/evm-address.js';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import { ChainReader, ChainUnavailable, StateUnavailable } from '../../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import { NativeBalances, type ExpectedBalance } from '../../domain/watching/native-balances.js';
import type { Arrival } from '../../domain/requests/transfer.js';
import type { Cursor } from '../../domain/watching/watched-chain.js';
import { Alerts } from './alerts.js';
import { MatchArrivals, type LocatedContents } from './match-arrivals.js';
import { hiddenSince, knownBefore, movedUpTo, type PendingMovements } from './pending-movements.js';

/** Balances asked for in one call. */
const AT_ONCE = 1_000;

export interface InternalTransfers {
  readonly byRequest: ReadonlyMap<PaymentRequestId, Arrival[]>;
  /** Where the round over all addresses stands now; undefined where it was not gone on with, null where it is done. */
  readonly sweptTo?: string | null;
  /** Up to when the balances of open requests are known now; null where no native coin is collected. */
  readonly knownAt: Date | null;
}

type Header = LocatedContents['header'];

/** A block whose balances can be asked for, and since when what is new in them may have arrived. */
interface Step {
  readonly header: Header;
  readonly since: Date;
}

/**
 * Finds native value that arrived inside contract calls (a Safe, an ERC-4337 wallet, an exchange's batch), which no log
 * and no transaction to the address tells of: by comparing balances with everything else that was read. Open native
 * requests are asked for with every turn, all others in a round that takes at least a day.
 */
@Injectable()
export class FindInternalTransfers {
  constructor(
    private readonly reader: ChainReader,
    private readonly balances: NativeBalances,
    private readonly catalogue: NetworkCatalogue,
    private readonly arrivals: MatchArrivals,
    private readonly alerts: Alerts,
  ) {}

  /**
   * Where balances cannot be asked for, the reading goes on; what arrived meanwhile is found by the next block whose
   * state is known, and dated by the first block that may have brought it: no outage of ours makes a payer late. Nor does
   * what is retracted, and may have hidden value from the block that it was told of onward.
   * @param headers of the blocks read in this turn
   * @param unrecorded what else changes balances, none of which is recorded yet
   */
  async in(
    network: string,
    cursor: Cursor,
    headers: readonly Header[],
    unrecorded: PendingMovements,
  ): Promise<InternalTransfers> {
    const coin = this.coinOf(network);
    const last = headers.at(-1);
    if (coin === undefined) return { byRequest: new Map(), knownAt: null };
    const hidden = hiddenSince(coin, unrecorded);
    if (last === undefined)
      return { byRequest: new Map(), knownAt: knownBefore(cursor.balancesKnownAt, hidden) };
    const found = new Map<PaymentRequestId, Arrival[]>();
    try {
      await this.compareOpen(coin, cursor, headers, unrecorded, found);
      const round = await this.balances.nextOfSweep(network, coin.uniqueAssetId, AT_ONCE);
      if (round === null) return { byRequest: found, knownAt: last.time };
      // What was found for an open request just now is not recorded yet.
      const others = round.filter(({ paymentRequestId }) => !found.has(paymentRequestId));
      await this.compare(coin, others, [{ header: last, since: last.time }], unrecorded, found);
      const askedTo = round.length < AT_ONCE ? null : round.at(-1)!.address;
      return { byRequest: found, sweptTo: askedTo, knownAt: last.time };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      this.alerts.balancesUnknown(network, last.number, error.message);
      const knownAt = knownBefore(cursor.balancesKnownAt ?? cursor.head.time, hidden);
      return { byRequest: new Map(), knownAt };
    }
  }

  /** The native coin whose balances are asked for. */
  coinOf(network: string): Asset | undefined {
    return this.catalogue.assets().find((asset) => asset.network === network && isNative(asset));
  }

  private async compareOpen(
    coin: Asset,
    { head, balancesKnownAt }: Cursor,
    headers: readonly Header[],
    unrecorded: PendingMovements,
    found: Map<PaymentRequestId, Arrival[]>,
  ): Promise<void> {
    const gapSince = balancesKnownAt !== null && balancesKnownAt < head.time ? balancesKnownAt : null;
    const steps = headers.map((header, i) => ({ header, since: (i === 0 && gapSince) || header.time }));
    for (let after = ''; ;) {
      const open = await this.balances.ofOpen(coin.network, coin.uniqueAssetId, after, AT_ONCE);
      await this.compare(coin, open, steps, unrecorded, found);
      if (open.length < AT_ONCE) return;
      after = open.at(-1)!.address;
    }
  }

  /** Only where the last block differs the others are asked for too, so that what arrived is dated. */
  private async compare(
    coin: Asset,
    addresses: readonly ExpectedBalance[],
    steps: readonly Step[],
    unrecorded: PendingMovements,
    found: Map<PaymentRequestId, Arrival[]>,
  ): Promise<void> {
    const last = steps.at(-1)!.header;
    const now = await this.ask(coin.network, last, addresses);
    const differing = addresses.filter(
      (address, position) =>
        now[position] !== address.expected + movedUpTo(last.number, address, coin, unrecorded),
    );
    if (differing.length === 0) return;
    const inner = new Map<string, bigint>();
    let unknownSince: Date | null = null;
    let isFirst = true;
    for (const { header, since } of steps) {
      const actuals = await this.askAgain(coin.network, header, last, differing);
      unknownSince ??= actuals === null ? since : null;
      if (actuals === null) continue;
      const time = unknownSince ?? since;
      unknownSince = null;
      for (const [position, address] of differing.entries()) {
        const already = inner.get(address.address) ?? 0n;
        const books = address.expected + movedUpTo(header.number, address, coin, unrecorded) + already;
        const more = actuals[position]! - books;
        if (more > 0n) {
          inner.set(address.address, already + more);
          // What was hidden is in the first balance that is compared; what a later block adds arrived in it.
          const hidden = isFirst ? hiddenSince(coin, unrecorded, address.address) : null;
          const arrivedBy = hidden !== null && hidden < time ? hidden : time;
          const transfer = this.transfer(coin, { ...header, time: arrivedBy }, address.address, more);
          found.set(address.paymentRequestId, [...(found.get(address.paymentRequestId) ?? []), transfer]);
        } else if (more < 0n && header === last) {
          this.alerts.balanceBelowBooks(coin.network, address.address, -more);
        }
      }
      isFirst = false;
    }
  }

  private ask(network: string, { hash }: Header, addresses: readonly ExpectedBalance[]): Promise<bigint[]> {
    if (addresses.length === 0) return Promise.resolve([]);
    return this.reader.balances(
      network,
      hash,
      addresses.map(({ address }) => address),
    );
  }

  /** @returns null where an earlier block's state is forgotten already */
  private async askAgain(
    network: string,
    header: Header,
    last: Header,
    addresses: readonly ExpectedBalance[],
  ): Promise<bigint[] | null> {
    try {
      return await this.ask(network, header, addresses);
    } catch (error) {
      if (!(error instanceof StateUnavailable) || header === last) throw error;
      return null;
    }
  }

  /** Told once, by one endpoint: it waits until balances are asked for again. */
  private transfer(coin: Asset, header: Header, to: string, amount: bigint): Arrival {
    const placed = this.arrivals.placedIn(header, coin, amount);
    const origin = { kind: 'balance', transactionHash: null, index: 0, from: ZERO_ADDRESS } as const;
    return { ...placed, ...origin, to, awaitsCrossCheck: true };
  }
}
