import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { isNative, type Asset } from '#shared/kernel/asset.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import {
  ChainUnavailable,
  BlockStateUnavailable,
  UNKNOWN_SENDER_ADDRESS,
} from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { NativeBalances, type ExpectedBalance } from '../../contract/native-balances.js';
import type { IncomingTransfer } from '../../contract/incoming-transfer.js';
import type { BalanceComparisonRound, Cursor } from '../../domain/cursor.js';
import { Alerts } from '../../contract/alerts.js';
import { IterationLimits } from '../iteration-limits.js';
import { MatchIncomingTransfers, type BlockWithContents } from '../reading/match-incoming-transfers.js';
import { mergeTransfers, type TransfersByRequest } from '../transfers-by-request.js';
import {
  balanceProgressAfterRound,
  limitProgressByHiddenTransfer,
  type DailyBalanceComparison,
  type BalanceComparisonProgress,
} from './balance-comparison-progress.js';
import {
  hiddenTransferPossibleSince,
  netMovementUpTo,
  type UnrecordedMovements,
} from './unrecorded-movements.js';

const ADDRESSES_PER_BALANCE_READ = 1_000;

export interface InternalTransfers {
  readonly byRequest: TransfersByRequest;
  readonly sweep: DailyBalanceComparison;
  readonly compared: readonly string[];
  /** Ended requests whose balances are still watched. */
  readonly ended: readonly PaymentRequestId[];
  readonly known: BalanceComparisonProgress;
}

const NO_INTERNAL_TRANSFERS = {
  byRequest: new Map(),
  compared: [],
  ended: [],
  sweep: { kind: 'not_due' },
} as const;

type LocatedHeader = BlockWithContents['header'];

/** `since`: the earliest time at which value that appears in this block may have been received. */
interface ComparedBlock {
  readonly header: LocatedHeader;
  readonly since: Date;
}

type BalancesAtBlock = ComparedBlock & { readonly balances: readonly bigint[] };

/**
 * Finds native coin received inside contract calls (from a Safe, an ERC-4337 wallet or a batch payment of an
 * exchange). No log or transaction to the address shows it, so balances are compared with all recorded movements.
 */
@Injectable()
export class FindInternalTransfers {
  constructor(
    private readonly chains: Chains,
    private readonly balances: NativeBalances,
    private readonly catalogue: NetworkCatalogue,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly alerts: Alerts,
    private readonly limits: IterationLimits,
  ) {}

  /**
   * If balances cannot be read, a later comparison timestamps the value by the first block that may contain it, so
   * that an outage makes no payer late.
   */
  async find(
    network: string,
    cursor: Cursor,
    headers: readonly LocatedHeader[],
    movements: UnrecordedMovements,
  ): Promise<InternalTransfers> {
    const coin = this.findNativeCoinWithInternalTransfers(network);
    const last = headers.at(-1);
    if (coin === undefined) return { ...NO_INTERNAL_TRANSFERS, known: { at: null, round: null } };
    const hidden = hiddenTransferPossibleSince(coin, movements);
    const before = { at: cursor.balancesKnownAt, round: cursor.balanceRound };
    try {
      if (last === undefined) {
        const { found, compared } = await this.compareRequestedAddresses(
          coin,
          cursor.head,
          movements,
          new Map(),
        );
        return {
          ...NO_INTERNAL_TRANSFERS,
          byRequest: found,
          compared,
          known: limitProgressByHiddenTransfer(before, hidden),
        };
      }
      const open = await this.compareOpenRequests(coin, cursor, headers, movements);
      const requested = await this.compareRequestedAddresses(coin, last, movements, open.found);
      const foundSoFar = mergeTransfers(open.found, requested.found);
      const swept = await this.sweepAddresses(coin, last, movements, foundSoFar);
      return {
        byRequest: mergeTransfers(foundSoFar, swept.found),
        sweep: swept.sweep,
        compared: requested.compared,
        ended: open.ended,
        known: balanceProgressAfterRound(cursor, last.time, open.round, hidden),
      };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      this.alerts.balancesUnknown(network, (last ?? cursor.head).number, error.message);
      const at = last === undefined ? before.at : (before.at ?? cursor.head.time);
      return { ...NO_INTERNAL_TRANSFERS, known: limitProgressByHiddenTransfer({ ...before, at }, hidden) };
    }
  }

  findNativeCoinWithInternalTransfers(network: string): Asset | undefined {
    if (this.catalogue.network(network)?.hidesNativeTransfers !== true) return undefined;
    return this.catalogue.assets().find((asset) => asset.network === network && isNative(asset));
  }

  private async compareOpenRequests(
    coin: Asset,
    { head, balancesKnownAt, balanceRound }: Cursor,
    headers: readonly LocatedHeader[],
    movements: UnrecordedMovements,
  ): Promise<{ round: BalanceComparisonRound | null; ended: PaymentRequestId[]; found: TransfersByRequest }> {
    const gapSince = balancesKnownAt !== null && balancesKnownAt < head.time ? balancesKnownAt : null;
    const blocks = headers.map((header, i) => ({ header, since: (i === 0 && gapSince) || header.time }));
    const beganAt = balanceRound?.beganAt ?? headers.at(-1)!.time;
    const ended: PaymentRequestId[] = [];
    const found: TransfersByRequest[] = [];
    let to = balanceRound?.to ?? null;
    for (let left = this.limits.balances; left > 0; left -= ADDRESSES_PER_BALANCE_READ) {
      const open = await this.balances.openRequestBalances(
        coin.network,
        coin.uniqueAssetId,
        to,
        Math.min(left, ADDRESSES_PER_BALANCE_READ),
      );
      found.push(await this.findTransfersByBalance(coin, open.balances, blocks, movements));
      ended.push(...open.ended);
      to = open.last;
      if (to === null) return { round: null, ended, found: mergeTransfers(...found) };
    }
    return { round: { to: to!, beganAt }, ended, found: mergeTransfers(...found) };
  }

  private async compareRequestedAddresses(
    coin: Asset,
    header: LocatedHeader,
    movements: UnrecordedMovements,
    foundSoFar: TransfersByRequest,
  ): Promise<{ found: TransfersByRequest; compared: string[] }> {
    const requested = await this.balances.requestedBalances(
      coin.network,
      coin.uniqueAssetId,
      ADDRESSES_PER_BALANCE_READ,
    );
    const blocks = [{ header, since: header.time }];
    const found = await this.findTransfersByBalance(
      coin,
      excludeRequestsWithTransfers(foundSoFar, requested),
      blocks,
      movements,
    );
    return { found, compared: requested.map(({ address }) => address) };
  }

  private async sweepAddresses(
    coin: Asset,
    header: LocatedHeader,
    movements: UnrecordedMovements,
    foundSoFar: TransfersByRequest,
  ): Promise<{ found: TransfersByRequest; sweep: DailyBalanceComparison }> {
    const swept = await this.balances.nextForDailyComparison(
      coin.network,
      coin.uniqueAssetId,
      ADDRESSES_PER_BALANCE_READ,
    );
    if (swept === null) return { found: new Map(), sweep: { kind: 'not_due' } };
    const blocks = [{ header, since: header.time }];
    const found = await this.findTransfersByBalance(
      coin,
      excludeRequestsWithTransfers(foundSoFar, swept),
      blocks,
      movements,
    );
    const to = swept.length < ADDRESSES_PER_BALANCE_READ ? null : swept.at(-1)!.address;
    return { found, sweep: { kind: 'swept', to } };
  }

  /**
   * Reads earlier blocks only for addresses that differ at the last block, to find out when the value was received.
   */
  private async findTransfersByBalance(
    coin: Asset,
    addresses: readonly ExpectedBalance[],
    blocks: readonly ComparedBlock[],
    movements: UnrecordedMovements,
  ): Promise<TransfersByRequest> {
    const last = blocks.at(-1)!.header;
    const latest = await this.readBalancesAt(coin.network, last, addresses);
    const differing = addresses.filter(
      (address, position) =>
        latest[position] !== address.expected + netMovementUpTo(last.number, address, coin, movements),
    );
    const readings: BalancesAtBlock[] = [];
    let unknownSince: Date | null = null;
    for (const { header, since } of blocks) {
      const balances = await this.readEarlierBalances(coin.network, header, last, differing);
      if (balances !== null) readings.push({ header, since: unknownSince ?? since, balances });
      unknownSince = balances === null ? (unknownSince ?? since) : null;
    }
    const found = differing.map((address, position) => {
      const transfers = this.toTransfersOfAddress(coin, address, position, readings, movements);
      return new Map(transfers.length === 0 ? [] : [[address.paymentRequestId, transfers]]);
    });
    return mergeTransfers(...found);
  }

  private toTransfersOfAddress(
    coin: Asset,
    address: ExpectedBalance,
    position: number,
    readings: readonly BalancesAtBlock[],
    movements: UnrecordedMovements,
  ): IncomingTransfer[] {
    const transfers: IncomingTransfer[] = [];
    let foundSoFar = 0n;
    for (const [i, { header, since, balances }] of readings.entries()) {
      const moved = netMovementUpTo(header.number, address, coin, movements);
      const more = balances[position]! - (address.expected + moved + foundSoFar);
      if (more > 0n) {
        foundSoFar += more;
        const hidden = i === 0 ? hiddenTransferPossibleSince(coin, movements, address.address) : null;
        const arrivedBy = hidden !== null && hidden < since ? hidden : since;
        transfers.push(this.toInternalTransfer(coin, { ...header, time: arrivedBy }, address.address, more));
      }
      if (more < 0n && i === readings.length - 1)
        this.alerts.balanceBelowExpected(coin.network, address.address, -more);
    }
    return transfers;
  }

  private readBalancesAt(
    network: string,
    { hash }: LocatedHeader,
    list: readonly ExpectedBalance[],
  ): Promise<bigint[]> {
    const addresses = list.map(({ address }) => address);
    return addresses.length === 0
      ? Promise.resolve([])
      : this.chains.of(network).reader.balances(hash, addresses);
  }

  /** @returns null if the node no longer has the balances at an earlier block */
  private async readEarlierBalances(
    network: string,
    header: LocatedHeader,
    last: LocatedHeader,
    addresses: readonly ExpectedBalance[],
  ): Promise<bigint[] | null> {
    try {
      return await this.readBalancesAt(network, header, addresses);
    } catch (error) {
      if (!(error instanceof BlockStateUnavailable) || header === last) throw error;
      return null;
    }
  }

  /** Only one endpoint has reported the balance so far, so the transfer awaits a cross-check. */
  private toInternalTransfer(
    coin: Asset,
    header: LocatedHeader,
    to: string,
    amount: bigint,
  ): IncomingTransfer {
    const located = this.matchTransfers.toTransferFields(header, coin, amount);
    const origin = {
      kind: 'balance',
      transactionHash: null,
      index: 0,
      from: UNKNOWN_SENDER_ADDRESS,
    } as const;
    return { ...located, ...origin, to, awaitsCrossCheck: true };
  }
}

function excludeRequestsWithTransfers(
  found: TransfersByRequest,
  addresses: readonly ExpectedBalance[],
): ExpectedBalance[] {
  return addresses.filter(({ paymentRequestId }) => !found.has(paymentRequestId));
}
