import { Injectable } from '@nestjs/common';
import { isNative, type Asset } from '#shared/kernel/asset.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  ChainUnavailable,
  StateUnavailable,
  UNKNOWN_SENDER,
} from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { NativeBalances, type ExpectedBalance } from '../../contract/native-balances.js';
import type { IncomingTransfer } from '../../contract/incoming-transfer.js';
import type { BalanceRound, Cursor } from '../../domain/watched-chain.js';
import { Alerts } from '../../contract/alerts.js';
import { TurnLimits } from '../turn-limits.js';
import { MatchIncomingTransfers, type LocatedContents } from '../reading/match-incoming-transfers.js';
import { knownAfterRound, unlessHidden, type KnownBalances } from './known-balances.js';
import { hiddenSince, movedUpTo, type PendingMovements } from './pending-movements.js';

const AT_ONCE = 1_000;

export interface InternalTransfers {
  readonly byRequest: ReadonlyMap<PaymentRequestId, IncomingTransfer[]>;
  /** Progress of the balance sweep: undefined if no sweep was due, null if the sweep is complete. */
  readonly sweptTo?: string | null;
  readonly compared: readonly string[];
  /** Requests that have ended although their balances were still watched. */
  readonly ended: readonly PaymentRequestId[];
  readonly known: KnownBalances;
}

const NONE = { byRequest: new Map<PaymentRequestId, IncomingTransfer[]>(), compared: [], ended: [] };

type Header = LocatedContents['header'];

/** A block at which balances are read, and the earliest time at which its new value may have been received. */
interface Step {
  readonly header: Header;
  readonly since: Date;
}

/**
 * Finds internal transfers: native coin received inside contract calls (a Safe, an ERC-4337 wallet, an exchange's batch). No log or
 * transaction to the address shows them, so balances are compared with all recorded movements. Open native requests are compared in
 * every iteration, up to a limit that keeps the cost of an iteration constant. All other addresses are compared in a balance sweep,
 * at most once a day.
 */
@Injectable()
export class FindInternalTransfers {
  constructor(
    private readonly chains: Chains,
    private readonly balances: NativeBalances,
    private readonly catalogue: NetworkCatalogue,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly alerts: Alerts,
    private readonly limits: TurnLimits,
  ) {}

  /**
   * If balances cannot be read, reading continues. The next block whose state is known then shows the value received. That value is
   * dated by the first block that may contain it, so that no outage makes a payer late. A retracted transfer may have hidden value
   * since its block, so that block also dates such value.
   * @param headers of the blocks read in this iteration
   * @param pending movements of this iteration that change balances and are not recorded yet
   */
  async find(
    network: string,
    cursor: Cursor,
    headers: readonly Header[],
    pending: PendingMovements,
  ): Promise<InternalTransfers> {
    const coin = this.coinOf(network);
    const last = headers.at(-1);
    if (coin === undefined) return { ...NONE, known: { at: null, round: null } };
    const hidden = hiddenSince(coin, pending);
    const before = { at: cursor.balancesKnownAt, round: cursor.balanceRound };
    const found = new Map<PaymentRequestId, IncomingTransfer[]>();
    try {
      if (last === undefined) {
        const compared = await this.compareAskedFor(coin, cursor.head, pending, found);
        return { ...NONE, byRequest: found, compared, known: unlessHidden(before, hidden) };
      }
      const { round, ended } = await this.compareOpen(coin, cursor, headers, pending, found);
      const known = knownAfterRound(cursor, last.time, round, hidden);
      const compared = await this.compareAskedFor(coin, last, pending, found);
      const swept = await this.balances.nextOfSweep(network, coin.uniqueAssetId, AT_ONCE);
      if (swept === null) return { byRequest: found, compared, ended, known };
      await this.compare(coin, notIn(found, swept), [{ header: last, since: last.time }], pending, found);
      const sweptTo = swept.length < AT_ONCE ? null : swept.at(-1)!.address;
      return { byRequest: found, compared, ended, sweptTo, known };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      this.alerts.balancesUnknown(network, (last ?? cursor.head).number, error.message);
      const at = last === undefined ? before.at : (before.at ?? cursor.head.time);
      return { ...NONE, known: unlessHidden({ ...before, at }, hidden) };
    }
  }

  /** The native coin whose balances are read. Undefined if blocks show every transfer of the coin. */
  coinOf(network: string): Asset | undefined {
    if (this.catalogue.network(network)?.hidesNativeTransfers !== true) return undefined;
    return this.catalogue.assets().find((asset) => asset.network === network && isNative(asset));
  }

  /** Compares requested addresses, before they are settled and also if there is no new block. @returns the compared addresses */
  private async compareAskedFor(
    coin: Asset,
    header: Header,
    pending: PendingMovements,
    found: Map<PaymentRequestId, IncomingTransfer[]>,
  ): Promise<string[]> {
    const asked = await this.balances.askedFor(coin.network, coin.uniqueAssetId, AT_ONCE);
    if (asked.length === 0) return [];
    await this.compare(coin, notIn(found, asked), [{ header, since: header.time }], pending, found);
    return asked.map(({ address }) => address);
  }

  /** Continues the round, or begins one. @returns the round, null if complete, and the ended requests */
  private async compareOpen(
    coin: Asset,
    { head, balancesKnownAt, balanceRound }: Cursor,
    headers: readonly Header[],
    pending: PendingMovements,
    found: Map<PaymentRequestId, IncomingTransfer[]>,
  ): Promise<{ round: BalanceRound | null; ended: PaymentRequestId[] }> {
    const gapSince = balancesKnownAt !== null && balancesKnownAt < head.time ? balancesKnownAt : null;
    const steps = headers.map((header, i) => ({ header, since: (i === 0 && gapSince) || header.time }));
    const beganAt = balanceRound?.beganAt ?? headers.at(-1)!.time;
    const ended: PaymentRequestId[] = [];
    let to = balanceRound?.to ?? null;
    for (let left = this.limits.balances; left > 0; left -= AT_ONCE) {
      const limit = Math.min(left, AT_ONCE);
      const open = await this.balances.ofOpen(coin.network, coin.uniqueAssetId, to, limit);
      await this.compare(coin, open.balances, steps, pending, found);
      ended.push(...open.ended);
      to = open.last;
      if (to === null) return { round: null, ended };
    }
    return { round: { to: to!, beganAt }, ended };
  }

  /** Reads earlier blocks only for addresses that differ at the last block, to date the value received. */
  private async compare(
    coin: Asset,
    addresses: readonly ExpectedBalance[],
    steps: readonly Step[],
    pending: PendingMovements,
    found: Map<PaymentRequestId, IncomingTransfer[]>,
  ): Promise<void> {
    const last = steps.at(-1)!.header;
    const latest = await this.balancesAt(coin.network, last, addresses);
    const differing = addresses.filter(
      (address, position) =>
        latest[position] !== address.expected + movedUpTo(last.number, address, coin, pending),
    );
    if (differing.length === 0) return;
    const foundSoFar = new Map<string, bigint>();
    let unknownSince: Date | null = null;
    let isFirst = true;
    for (const { header, since } of steps) {
      const actuals = await this.balancesAtEarlier(coin.network, header, last, differing);
      unknownSince ??= actuals === null ? since : null;
      if (actuals === null) continue;
      const time = unknownSince ?? since;
      unknownSince = null;
      for (const [position, address] of differing.entries()) {
        const before = foundSoFar.get(address.address) ?? 0n;
        const expected = address.expected + movedUpTo(header.number, address, coin, pending) + before;
        const more = actuals[position]! - expected;
        if (more > 0n) {
          foundSoFar.set(address.address, before + more);
          // Hidden value is part of the first balance compared. Value that appears at a later block was received in that block.
          const hidden = isFirst ? hiddenSince(coin, pending, address.address) : null;
          const arrivedBy = hidden !== null && hidden < time ? hidden : time;
          const transfer = this.transfer(coin, { ...header, time: arrivedBy }, address.address, more);
          found.set(address.paymentRequestId, [...(found.get(address.paymentRequestId) ?? []), transfer]);
        } else if (more < 0n && header === last) {
          this.alerts.balanceBelowExpected(coin.network, address.address, -more);
        }
      }
      isFirst = false;
    }
  }

  private balancesAt(
    network: string,
    { hash }: Header,
    addresses: readonly ExpectedBalance[],
  ): Promise<bigint[]> {
    if (addresses.length === 0) return Promise.resolve([]);
    return this.chains.of(network).reader.balances(
      hash,
      addresses.map(({ address }) => address),
    );
  }

  /** @returns null if the node no longer has the state of an earlier block */
  private async balancesAtEarlier(
    network: string,
    header: Header,
    last: Header,
    addresses: readonly ExpectedBalance[],
  ): Promise<bigint[] | null> {
    try {
      return await this.balancesAt(network, header, addresses);
    } catch (error) {
      if (!(error instanceof StateUnavailable) || header === last) throw error;
      return null;
    }
  }

  /** Only one endpoint has shown the transfer so far, so it awaits a cross-check of balances. */
  private transfer(coin: Asset, header: Header, to: string, amount: bigint): IncomingTransfer {
    const located = this.matchTransfers.arrivalIn(header, coin, amount);
    const origin = { kind: 'balance', transactionHash: null, index: 0, from: UNKNOWN_SENDER } as const;
    return { ...located, ...origin, to, awaitsCrossCheck: true };
  }
}

/** Excludes requests with a transfer just found: it is not recorded yet, so the balance would differ again. */
function notIn(
  found: ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>,
  addresses: readonly ExpectedBalance[],
): ExpectedBalance[] {
  return addresses.filter(({ paymentRequestId }) => !found.has(paymentRequestId));
}
