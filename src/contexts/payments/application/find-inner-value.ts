import { Injectable } from '@nestjs/common';
import { isNative, type Asset } from '../../../shared/kernel/asset.js';
import { ZERO_ADDRESS } from '../../../shared/kernel/evm-address.js';
import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import { ChainReader, StateUnavailable } from '../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../networks/contract/network-catalogue.js';
import { NativeBalances, type ExpectedBalance } from '../domain/native-balances.js';
import { Alerts } from './alerts.js';
import { MatchArrivals, type Arrival, type Arrivals, type LocatedContents } from './arrivals.js';

/** Balances asked for in one call. */
const AT_ONCE = 1_000;

export interface InnerValue {
  readonly byRequest: ReadonlyMap<PaymentRequestId, Arrival[]>;
  /** Where the round over all addresses stands now; undefined where it was not gone on with, null where it is done. */
  readonly askedTo?: string | null;
}

type Header = LocatedContents['header'];

/**
 * Finds native value that arrived inside contract calls (a Safe, an ERC-4337 wallet, an exchange's batch), which no log
 * and no transaction to the address tells of: by comparing balances with everything else that was read. Open native
 * requests are asked for with every turn, all others in a round that takes at least a day.
 */
@Injectable()
export class FindInnerValue {
  constructor(
    private readonly reader: ChainReader,
    private readonly balances: NativeBalances,
    private readonly catalogue: NetworkCatalogue,
    private readonly arrivals: MatchArrivals,
    private readonly alerts: Alerts,
  ) {}

  /** @param read what else arrived in these blocks, none of which is recorded yet */
  async in(network: string, headers: readonly Header[], read: Arrivals): Promise<InnerValue> {
    const coin = this.coinOf(network);
    if (coin === undefined || headers.length === 0) return { byRequest: new Map() };
    const found = new Map<PaymentRequestId, Arrival[]>();
    try {
      for (let after = ''; ;) {
        const open = await this.balances.ofOpen(network, coin.uniqueAssetId, after, AT_ONCE);
        await this.compare(coin, open, headers, read, found);
        if (open.length < AT_ONCE) break;
        after = open.at(-1)!.address;
      }
      const round = await this.balances.nextOfRound(network, coin.uniqueAssetId, AT_ONCE);
      if (round === null) return { byRequest: found };
      // What was found for an open request just now is not recorded yet.
      const others = round.filter(({ paymentRequestId }) => !found.has(paymentRequestId));
      await this.compare(coin, others, headers.slice(-1), read, found);
      return { byRequest: found, askedTo: round.length < AT_ONCE ? null : round.at(-1)!.address };
    } catch (error) {
      // Far behind, the state of these blocks is forgotten: what arrived is found, and dated, once it is there again.
      if (!(error instanceof StateUnavailable)) throw error;
      this.alerts.balancesUnknown(network, headers.at(-1)!.number, error.message);
      return { byRequest: found };
    }
  }

  /** The native coin whose balances are asked for. */
  coinOf(network: string): Asset | undefined {
    return this.catalogue.assets().find((asset) => asset.network === network && isNative(asset));
  }

  private async compare(
    coin: Asset,
    addresses: readonly ExpectedBalance[],
    headers: readonly Header[],
    read: Arrivals,
    found: Map<PaymentRequestId, Arrival[]>,
  ): Promise<void> {
    const last = headers.at(-1)!;
    const now = await this.ask(coin.network, last, addresses);
    const differing = addresses.filter(
      (address, position) => now[position] !== address.expected + movedUpTo(last.number, address, coin, read),
    );
    const inner = new Map<string, bigint>();
    for (const header of headers) {
      if (differing.length === 0) return;
      for (const [position, actual] of (
        await this.askAgain(coin.network, header, last, differing)
      ).entries()) {
        const address = differing[position]!;
        const already = inner.get(address.address) ?? 0n;
        const more = actual - address.expected - movedUpTo(header.number, address, coin, read) - already;
        if (more > 0n) {
          inner.set(address.address, already + more);
          const list = found.get(address.paymentRequestId) ?? [];
          found.set(address.paymentRequestId, [...list, this.transfer(coin, header, address.address, more)]);
        } else if (more < 0n && header === last) {
          this.alerts.balanceBelowBooks(coin.network, address.address, -more);
        }
      }
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

  /** Dates what arrived by the first block that shows it; where an earlier one's state is gone, by the next. */
  private async askAgain(
    network: string,
    header: Header,
    last: Header,
    addresses: readonly ExpectedBalance[],
  ): Promise<bigint[]> {
    try {
      return await this.ask(network, header, addresses);
    } catch (error) {
      if (!(error instanceof StateUnavailable) || header === last) throw error;
      return [];
    }
  }

  private transfer(coin: Asset, header: Header, to: string, amount: bigint): Arrival {
    const placed = this.arrivals.placedIn(header, coin, amount);
    return { ...placed, kind: 'balance', transactionHash: null, index: 0, from: ZERO_ADDRESS, to };
  }
}

/** What is known otherwise to have changed the balance up to that block, of what was read just now. */
function movedUpTo(
  number: number,
  { address, paymentRequestId }: ExpectedBalance,
  { uniqueAssetId }: Asset,
  { byRequest, payouts }: Arrivals,
): bigint {
  const arrived = (byRequest.get(paymentRequestId) ?? []).filter(
    (transfer) =>
      transfer.to === address && transfer.uniqueAssetId === uniqueAssetId && transfer.blockNumber <= number,
  );
  const left = payouts.filter((payout) => payout.address === address && payout.blockNumber <= number);
  const sum = (amounts: readonly { amount: bigint }[]) =>
    amounts.reduce((total, { amount }) => total + amount, 0n);
  return sum(arrived) - sum(left);
}
