import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { isNative, type Asset } from '#shared/kernel/asset.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import {
  ChainUnavailable,
  StateUnavailable,
  UNKNOWN_SENDER,
} from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { NativeBalances, type ExpectedBalance } from '../../contract/native-balances.js';
import type { IncomingTransfer } from '../../contract/incoming-transfer.js';
import type { BalanceRound, Cursor } from '../../domain/cursor.js';
import { Alerts } from '../../contract/alerts.js';
import { TurnLimits } from '../turn-limits.js';
import { MatchIncomingTransfers, type LocatedContents } from '../reading/match-incoming-transfers.js';
import { joined, type TransfersByRequest } from '../transfers-by-request.js';
import { knownAfterRound, unlessHidden, type BalanceSweep, type KnownBalances } from './known-balances.js';
import { hiddenSince, movedUpTo, type UnrecordedMovements } from './unrecorded-movements.js';

/** Maximum number of addresses whose balances are read in one call. */
const AT_ONCE = 1_000;

export interface InternalTransfers {
  readonly byRequest: TransfersByRequest;
  readonly sweep: BalanceSweep;
  /** Addresses for which settlement requested a comparison and that were compared in this iteration. */
  readonly compared: readonly string[];
  /** Ended requests whose balances are still watched. Watching stops when the findings are stored. */
  readonly ended: readonly PaymentRequestId[];
  readonly known: KnownBalances;
}

const NONE = { byRequest: new Map(), compared: [], ended: [], sweep: { kind: 'not_due' } } as const;

type Header = LocatedContents['header'];

/**
 * A block at which balances are read. `since`: the earliest time at which value that appears in this block may have
 * been received.
 */
interface ComparedBlock {
  readonly header: Header;
  readonly since: Date;
}

type BalancesAt = ComparedBlock & { readonly balances: readonly bigint[] };

/**
 * Finds internal transfers: native coin received inside contract calls (from a Safe, an ERC-4337 wallet or a batch
 * payment of an exchange). No log or transaction to the address shows them, so balances are compared with all
 * recorded movements:
 * 1. Addresses of open requests in native coin, in every iteration, up to a limit that keeps the cost of an
 *    iteration constant.
 * 2. Addresses for which settlement requested a comparison.
 * 3. All other addresses, in a balance sweep that begins at most once a day.
 *
 * Transfers found by one of these comparisons are not recorded yet, so the following comparisons skip their
 * requests.
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
   * If balances cannot be read, blocks are still read. A later comparison then finds the value received,
   * timestamped by the first block that may contain it, so that an outage makes no payer late. A refuted transfer
   * may have hidden value since its block, so such value is timestamped by that block.
   * @param headers headers of the blocks read in this iteration
   */
  async find(
    network: string,
    cursor: Cursor,
    headers: readonly Header[],
    movements: UnrecordedMovements,
  ): Promise<InternalTransfers> {
    const coin = this.coinOf(network);
    const last = headers.at(-1);
    if (coin === undefined) return { ...NONE, known: { at: null, round: null } };
    const hidden = hiddenSince(coin, movements);
    const before = { at: cursor.balancesKnownAt, round: cursor.balanceRound };
    try {
      if (last === undefined) {
        const { found, compared } = await this.compareRequested(coin, cursor.head, movements, new Map());
        return { ...NONE, byRequest: found, compared, known: unlessHidden(before, hidden) };
      }
      const open = await this.compareOpen(coin, cursor, headers, movements);
      const requested = await this.compareRequested(coin, last, movements, open.found);
      const foundSoFar = joined(open.found, requested.found);
      const swept = await this.sweep(coin, last, movements, foundSoFar);
      return {
        byRequest: joined(foundSoFar, swept.found),
        sweep: swept.sweep,
        compared: requested.compared,
        ended: open.ended,
        known: knownAfterRound(cursor, last.time, open.round, hidden),
      };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      this.alerts.balancesUnknown(network, (last ?? cursor.head).number, error.message);
      const at = last === undefined ? before.at : (before.at ?? cursor.head.time);
      return { ...NONE, known: unlessHidden({ ...before, at }, hidden) };
    }
  }

  /** Returns the native coin of the network if blocks do not show all of its transfers. Undefined if they do. */
  coinOf(network: string): Asset | undefined {
    if (this.catalogue.network(network)?.hidesNativeTransfers !== true) return undefined;
    return this.catalogue.assets().find((asset) => asset.network === network && isNative(asset));
  }

  /**
   * Continues or begins a balance comparison round over all open requests.
   * @returns `round`: the unfinished round; null if the round is complete
   */
  private async compareOpen(
    coin: Asset,
    { head, balancesKnownAt, balanceRound }: Cursor,
    headers: readonly Header[],
    movements: UnrecordedMovements,
  ): Promise<{ round: BalanceRound | null; ended: PaymentRequestId[]; found: TransfersByRequest }> {
    const gapSince = balancesKnownAt !== null && balancesKnownAt < head.time ? balancesKnownAt : null;
    const blocks = headers.map((header, i) => ({ header, since: (i === 0 && gapSince) || header.time }));
    const beganAt = balanceRound?.beganAt ?? headers.at(-1)!.time;
    const ended: PaymentRequestId[] = [];
    const found: TransfersByRequest[] = [];
    let to = balanceRound?.to ?? null;
    for (let left = this.limits.balances; left > 0; left -= AT_ONCE) {
      const open = await this.balances.ofOpen(coin.network, coin.uniqueAssetId, to, Math.min(left, AT_ONCE));
      found.push(await this.compare(coin, open.balances, blocks, movements));
      ended.push(...open.ended);
      to = open.last;
      if (to === null) return { round: null, ended, found: joined(...found) };
    }
    return { round: { to: to!, beganAt }, ended, found: joined(...found) };
  }

  /** Compares the balances of addresses that settlement requested, even if there is no new block. */
  private async compareRequested(
    coin: Asset,
    header: Header,
    movements: UnrecordedMovements,
    foundSoFar: TransfersByRequest,
  ): Promise<{ found: TransfersByRequest; compared: string[] }> {
    const requested = await this.balances.requested(coin.network, coin.uniqueAssetId, AT_ONCE);
    const blocks = [{ header, since: header.time }];
    const found = await this.compare(coin, without(foundSoFar, requested), blocks, movements);
    return { found, compared: requested.map(({ address }) => address) };
  }

  private async sweep(
    coin: Asset,
    header: Header,
    movements: UnrecordedMovements,
    foundSoFar: TransfersByRequest,
  ): Promise<{ found: TransfersByRequest; sweep: BalanceSweep }> {
    const swept = await this.balances.nextOfSweep(coin.network, coin.uniqueAssetId, AT_ONCE);
    if (swept === null) return { found: new Map(), sweep: { kind: 'not_due' } };
    const blocks = [{ header, since: header.time }];
    const found = await this.compare(coin, without(foundSoFar, swept), blocks, movements);
    const to = swept.length < AT_ONCE ? null : swept.at(-1)!.address;
    return { found, sweep: { kind: 'swept', to } };
  }

  /**
   * Finds transfers by comparing balances at the last block. Reads earlier blocks only for addresses that differ at
   * the last block, to find out when the value was received.
   */
  private async compare(
    coin: Asset,
    addresses: readonly ExpectedBalance[],
    blocks: readonly ComparedBlock[],
    movements: UnrecordedMovements,
  ): Promise<TransfersByRequest> {
    const last = blocks.at(-1)!.header;
    const latest = await this.balancesAt(coin.network, last, addresses);
    const differing = addresses.filter(
      (address, position) =>
        latest[position] !== address.expected + movedUpTo(last.number, address, coin, movements),
    );
    const readings: BalancesAt[] = [];
    let unknownSince: Date | null = null;
    for (const { header, since } of blocks) {
      const balances = await this.balancesAtEarlier(coin.network, header, last, differing);
      if (balances !== null) readings.push({ header, since: unknownSince ?? since, balances });
      unknownSince = balances === null ? (unknownSince ?? since) : null;
    }
    const found = differing.map((address, position) => {
      const transfers = this.transfersTo(coin, address, position, readings, movements);
      return new Map(transfers.length === 0 ? [] : [[address.paymentRequestId, transfers]]);
    });
    return joined(...found);
  }

  /** @param position index of the address in the balances of each block */
  private transfersTo(
    coin: Asset,
    address: ExpectedBalance,
    position: number,
    readings: readonly BalancesAt[],
    movements: UnrecordedMovements,
  ): IncomingTransfer[] {
    const transfers: IncomingTransfer[] = [];
    let foundSoFar = 0n;
    for (const [i, { header, since, balances }] of readings.entries()) {
      const moved = movedUpTo(header.number, address, coin, movements);
      const more = balances[position]! - (address.expected + moved + foundSoFar);
      if (more > 0n) {
        foundSoFar += more;
        // Value hidden by a refuted transfer is part of the first balance compared. Value that appears at a later
        // block was received in that block.
        const hidden = i === 0 ? hiddenSince(coin, movements, address.address) : null;
        const arrivedBy = hidden !== null && hidden < since ? hidden : since;
        transfers.push(this.transfer(coin, { ...header, time: arrivedBy }, address.address, more));
      }
      if (more < 0n && i === readings.length - 1)
        this.alerts.balanceBelowExpected(coin.network, address.address, -more);
    }
    return transfers;
  }

  private balancesAt(network: string, { hash }: Header, list: readonly ExpectedBalance[]): Promise<bigint[]> {
    const addresses = list.map(({ address }) => address);
    return addresses.length === 0
      ? Promise.resolve([])
      : this.chains.of(network).reader.balances(hash, addresses);
  }

  /** @returns null if the node no longer has the balances at an earlier block */
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

  /**
   * Creates an internal transfer. Only one endpoint has reported the balance so far, so the transfer awaits a
   * cross-check.
   */
  private transfer(coin: Asset, header: Header, to: string, amount: bigint): IncomingTransfer {
    const located = this.matchTransfers.arrivalIn(header, coin, amount);
    const origin = { kind: 'balance', transactionHash: null, index: 0, from: UNKNOWN_SENDER } as const;
    return { ...located, ...origin, to, awaitsCrossCheck: true };
  }
}

function without(found: TransfersByRequest, addresses: readonly ExpectedBalance[]): ExpectedBalance[] {
  return addresses.filter(({ paymentRequestId }) => !found.has(paymentRequestId));
}
