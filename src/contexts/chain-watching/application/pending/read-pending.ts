import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { Clock } from '#shared/kernel/clock.js';
import { orUnavailable, type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type PendingLook } from '#contexts/networks/contract/pending-transfers.js';
import type { Cursor } from '../../domain/cursor.js';
import { SeenTransfers, type WaitingTransfer } from '../../contract/seen-transfers.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';
import type { TransfersByRequest } from '../transfers-by-request.js';
import { AcceptPending } from './accept-pending.js';
import { PendingQueue } from './pending-queue.js';

/** Limits of one iteration. Anyone can create any number of pending transactions. */
const EXAMINED_PER_ITERATION = 2_000;
const STORED_PER_ITERATION = 500;
const COMPARED_PER_ITERATION = 500;
const FATES_PER_ITERATION = 50;

export interface PendingFindings {
  readonly byRequest: TransfersByRequest;
  /** Ids of recorded transfers that are now in a block, were replaced or have lapsed. */
  readonly ended: readonly string[];
  /** Recorded transfers that no endpoint holds any longer (`missing`), and those that an endpoint holds again (`back`). */
  readonly missing: readonly string[];
  readonly back: readonly string[];
  /** All pending transfers are known up to this time. */
  readonly readAt: Date | null;
  /** True if this iteration reached a limit, so the next one must not wait. */
  readonly hasMore: boolean;
  /** Called after the findings are stored: the next iteration then continues after them. */
  readonly onStored: () => void;
}

type ReadTo = Pick<BlockHeader, 'hash' | 'time'>;

/** The result of comparing recorded pending transfers with the mempools. */
interface Comparison {
  readonly ended: readonly string[];
  readonly missing: readonly string[];
  readonly back: readonly string[];
  /** The last transfer compared. Null if the next comparison starts at the first one. */
  readonly last: WaitingTransfer | null;
  /** True if more transfers may have lapsed than one iteration takes. */
  readonly hasMoreLapsed: boolean;
}

/** No endpoint has answered, so no transfer counts as removed. */
const UNANSWERED: PendingLook = { transfers: [], isWhole: false, ageMs: 0, hasMore: false, has: () => true };

/**
 * Checks pending transfers after the blocks of an iteration were read, so a transaction mined in between is found in a block.
 * 1. Take the new transactions of the mempools, and decide which of their transfers are recorded.
 * 2. Compare recorded pending transfers with the mempools. A recorded transfer that no endpoint holds may have been replaced by a
 *    new transaction, so step 1 comes first.
 *
 * Writes nothing to the database. The state cached between iterations only saves work: another process starts without it.
 */
@Injectable()
export class ReadPending {
  private readonly queues = new Map<string, PendingQueue>();
  /** The last transfer compared with the mempools, by network. */
  private readonly lastCompared = new Map<string, WaitingTransfer | null>();

  constructor(
    private readonly chains: Chains,
    private readonly seen: SeenTransfers,
    private readonly acceptPending: AcceptPending,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
  ) {}

  /** @param readTo the newest block read @param arrived transfers in blocks of this iteration */
  async read(
    network: string,
    cursor: Cursor,
    readTo: ReadTo,
    arrived: TransfersByRequest,
  ): Promise<PendingFindings> {
    if (this.catalogue.network(network)!.pendingGraceSeconds === undefined) return nothing(cursor);
    const queue = this.queues.get(network) ?? new PendingQueue();
    this.queues.set(network, queue);
    const startedAt = await this.clock.now();
    const look = await this.look(network, queue);
    for (const transfer of look.transfers)
      queue.add({ ...transfer, seenAt: firstSeen(transfer, cursor, startedAt) });
    queue.keepOnly(look.has);
    const taken = queue.first(STORED_PER_ITERATION);
    const accepted = await this.acceptPending.accept(network, readTo.time, look, taken, arrived);
    const areAllDecided = !look.hasMore && accepted.decided.length === queue.transactions;
    const compared = await this.compareRecorded(network, readTo, look, accepted.ended, areAllDecided);
    return {
      byRequest: accepted.byRequest,
      ended: [...new Set([...accepted.ended, ...compared.ended])],
      missing: compared.missing,
      back: compared.back,
      readAt: look.isWhole && areAllDecided ? readUpTo(cursor, startedAt, look) : cursor.pendingReadAt,
      hasMore: (look.isWhole && !areAllDecided) || compared.hasMoreLapsed,
      onStored: () => {
        queue.remove(accepted.decided);
        this.lastCompared.set(network, compared.last);
      },
    };
  }

  private async look(network: string, queue: PendingQueue): Promise<PendingLook> {
    const ours = this.matchTransfers.ownAddresses(network);
    const limit = Math.max(0, EXAMINED_PER_ITERATION - queue.transactions);
    const looked = await orUnavailable(this.chains.of(network).pending!.look(ours, limit));
    return looked instanceof Error ? UNANSWERED : looked;
  }

  /**
   * Compares the next recorded transfers with the mempools.
   * @param ended ids of recorded transfers that new transactions or blocks have ended
   * @param areAllDecided false: a replacement may pay the same request and is not decided yet, so no transfer counts as replaced
   */
  private async compareRecorded(
    network: string,
    readTo: ReadTo,
    look: PendingLook,
    ended: ReadonlySet<string>,
    areAllDecided: boolean,
  ): Promise<Comparison> {
    const after = this.lastCompared.get(network) ?? null;
    const page = await this.seen.waiting(network, readTo.time, after, COMPARED_PER_ITERATION);
    const lapsed = page.filter(({ lapsesAt }) => lapsesAt < readTo.time);
    const others = page.slice(lapsed.length);
    const pending = others.filter(({ id }) => !ended.has(id));
    // The absence of a transaction means something only if every endpoint answered completely.
    const held = look.isWhole ? pending.filter(({ transactionHash }) => look.has(transactionHash)) : pending;
    const notHeld = pending.filter((transfer) => !held.includes(transfer));
    const checked = areAllDecided ? notHeld.slice(0, FATES_PER_ITERATION) : [];
    const replaced = await this.replaced(network, readTo, checked);
    const missing = notHeld.filter(({ id, missingSince }) => missingSince === null && !replaced.includes(id));
    const back = look.isWhole ? held.filter(({ missingSince }) => missingSince !== null) : [];
    return {
      ended: [...lapsed.map(({ id }) => id), ...replaced],
      missing: missing.map(({ id }) => id),
      back: back.map(({ id }) => id),
      last: lastCompared(others, notHeld, checked),
      hasMoreLapsed: lapsed.length === COMPARED_PER_ITERATION,
    };
  }

  /** @returns ids of transfers that another transaction has replaced; empty if no endpoint answers or blocks are unread */
  private async replaced(
    network: string,
    readTo: ReadTo,
    notHeld: readonly WaitingTransfer[],
  ): Promise<string[]> {
    if (notHeld.length === 0) return [];
    const evidence = await this.seen.evidence(notHeld.map(({ id }) => id));
    const fates = await orUnavailable(this.chains.of(network).pending!.fates([...evidence.values()]));
    if (fates instanceof Error) return [];
    const replaced = [...evidence.keys()].filter((_, i) => fates[i] === 'replaced');
    if (replaced.length === 0) return [];
    // An unread block may contain a replacement that pays the same request and inherits the first sight.
    const newest = await orUnavailable(this.chains.of(network).reader.head());
    return !(newest instanceof Error) && newest.head.hash === readTo.hash ? replaced : [];
  }
}

/**
 * A node's own time of first sight counts only since the last complete check. It can make a payment earlier by at most the length
 * of an outage, and never later.
 */
function firstSeen(
  { heldForMs }: { readonly heldForMs: number | null },
  { pendingReadAt }: Cursor,
  now: Date,
): Date {
  const claimed = now.getTime() - Math.max(0, heldForMs ?? 0);
  return new Date(Math.min(now.getTime(), Math.max(claimed, (pendingReadAt ?? now).getTime())));
}

/**
 * The transfer after which the next comparison continues: the last one whose fate was checked if there were too many to check, or the
 * last one of a full page.
 */
function lastCompared(
  page: readonly WaitingTransfer[],
  notHeld: readonly WaitingTransfer[],
  checked: readonly WaitingTransfer[],
): WaitingTransfer | null {
  if (checked.length > 0 && notHeld.length > checked.length) return checked.at(-1)!;
  return page.length < COMPARED_PER_ITERATION ? null : page.at(-1)!;
}

/** Mempool answers may be some seconds old. */
function readUpTo({ pendingReadAt }: Cursor, startedAt: Date, { ageMs }: PendingLook): Date {
  return new Date(Math.max(startedAt.getTime() - Math.ceil(ageMs), (pendingReadAt ?? new Date(0)).getTime()));
}

function nothing({ pendingReadAt }: Cursor): PendingFindings {
  const none = { byRequest: new Map(), ended: [], missing: [], back: [] };
  return { ...none, readAt: pendingReadAt, hasMore: false, onStored: () => undefined };
}
