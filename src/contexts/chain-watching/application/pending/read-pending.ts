import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { orUnavailable, type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type PendingLook } from '#contexts/networks/contract/pending-transfers.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { IncomingTransfer } from '../../contract/incoming-transfer.js';
import type { Cursor } from '../../domain/watched-chain.js';
import { SeenTransfers, type WaitingTransfer } from '../../contract/seen-transfers.js';
import type { TransfersByRequest } from '../reading/complete-incoming-transfers.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';
import { AcceptPending, type AcceptedPending } from './accept-pending.js';
import { PendingQueue } from './pending-queue.js';

/** Limits of one iteration. Anyone can create any number of pending transactions. */
const EXAMINED_PER_TURN = 2_000;
const STORED_PER_TURN = 500;
const COMPARED_PER_TURN = 500;
const FATES_PER_TURN = 50;

export interface PendingFindings {
  readonly byRequest: TransfersByRequest;
  /** Ids of recorded transfers that are now in a block, were replaced or have lapsed. */
  readonly gone: readonly string[];
  /** Recorded transfers that no endpoint holds any longer (`missing`), and those that an endpoint holds again (`back`). */
  readonly missing: readonly string[];
  readonly back: readonly string[];
  /** All pending transfers are known up to this time. */
  readonly readAt: Date | null;
  readonly hasMore: boolean;
  /** Called after the findings are stored. */
  readonly settle: () => void;
}

type ReadTo = Pick<BlockHeader, 'hash' | 'time'>;

interface Round {
  readonly gone: readonly string[];
  readonly missing: readonly string[];
  readonly back: readonly string[];
  readonly last: WaitingTransfer | null;
  readonly hasMore: boolean;
}

/** No endpoint has answered, so no transfer counts as removed. */
const UNANSWERED: PendingLook = { transfers: [], isWhole: false, ageMs: 0, hasMore: false, has: () => true };

/**
 * Checks pending transfers after the blocks of an iteration were read, so a transaction mined in between is found in a block.
 * Writes nothing. The state cached between iterations only saves work: another process starts without it.
 */
@Injectable()
export class ReadPending {
  private readonly queues = new Map<string, PendingQueue>();
  /** The last transfer compared with the mempools, by network. */
  private readonly comparedTo = new Map<string, WaitingTransfer | null>();

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
    arrived: ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>,
  ): Promise<PendingFindings> {
    if (this.catalogue.network(network)!.pendingGraceSeconds === undefined) return nothing(cursor);
    const queue = this.queues.get(network) ?? new PendingQueue();
    this.queues.set(network, queue);
    const begun = await this.clock.now();
    const look = await this.look(network, queue);
    for (const transfer of look.transfers)
      queue.add({ ...transfer, seenAt: firstSeen(transfer, cursor, begun) });
    queue.keepOnly(look.has);
    const taken = queue.first(STORED_PER_TURN);
    const accepted = await this.acceptPending.accept(network, readTo.time, look, taken, arrived);
    const isThrough = !look.hasMore && accepted.settled.length === queue.transactions;
    const round = await this.round(network, readTo, look, accepted, isThrough);
    return {
      byRequest: accepted.byRequest,
      gone: [...new Set([...accepted.gone, ...round.gone])],
      missing: round.missing,
      back: round.back,
      readAt: look.isWhole && isThrough ? readUpTo(cursor, begun, look) : cursor.pendingReadAt,
      hasMore: look.isWhole && !isThrough ? true : round.hasMore,
      settle: () => {
        queue.remove(accepted.settled);
        this.comparedTo.set(network, round.last);
      },
    };
  }

  private async look(network: string, queue: PendingQueue): Promise<PendingLook> {
    const ours = this.matchTransfers.ownAddresses(network);
    const limit = Math.max(0, EXAMINED_PER_TURN - queue.transactions);
    const looked = await orUnavailable(this.chains.of(network).pending!.look(ours, limit));
    return looked instanceof Error ? UNANSWERED : looked;
  }

  /** Compares the next recorded transfers with the mempools, and checks the fate of some that no endpoint holds. */
  private async round(
    network: string,
    readTo: ReadTo,
    look: PendingLook,
    accepted: AcceptedPending,
    isThrough: boolean,
  ): Promise<Round> {
    const after = this.comparedTo.get(network) ?? null;
    const page = await this.seen.waiting(network, readTo.time, after, COMPARED_PER_TURN);
    const lapsed = page.filter(({ lapsesAt }) => lapsesAt < readTo.time);
    const others = page.slice(lapsed.length);
    const standing = others.filter(({ id }) => !accepted.gone.has(id));
    const away = look.isWhole ? standing.filter(({ transactionHash }) => !look.has(transactionHash)) : [];
    // A replacement may pay the same request, so all new transfers must be known first.
    const asked = isThrough ? away.slice(0, FATES_PER_TURN) : [];
    const replaced = await this.replaced(network, readTo, asked);
    // The next iteration continues after the last transfer whose fate was checked.
    const hasMoreAway = away.length > asked.length && asked.length > 0;
    const last = hasMoreAway ? asked.at(-1)! : others.length < COMPARED_PER_TURN ? null : others.at(-1)!;
    const isBack = ({ transactionHash, missingSince }: WaitingTransfer) =>
      missingSince !== null && look.isWhole && look.has(transactionHash);
    return {
      gone: [...lapsed.map(({ id }) => id), ...replaced],
      missing: away.flatMap(({ id, missingSince }) =>
        missingSince === null && !replaced.includes(id) ? id : [],
      ),
      back: standing.filter(isBack).map(({ id }) => id),
      last,
      hasMore: lapsed.length === COMPARED_PER_TURN,
    };
  }

  /** @returns ids of transfers that another transaction has replaced; empty if no endpoint answers or blocks are unread */
  private async replaced(
    network: string,
    readTo: ReadTo,
    away: readonly WaitingTransfer[],
  ): Promise<string[]> {
    if (away.length === 0) return [];
    const evidence = await this.seen.evidence(away.map(({ id }) => id));
    const gone = [...evidence];
    const fates = await orUnavailable(this.chains.of(network).pending!.fates(gone.map(([, each]) => each)));
    if (fates instanceof Error) return [];
    const replaced = gone.flatMap(([id], i) => (fates[i] === 'replaced' ? id : []));
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

/** Mempool answers may be some seconds old. */
function readUpTo({ pendingReadAt }: Cursor, begun: Date, { ageMs }: PendingLook): Date {
  return new Date(Math.max(begun.getTime() - Math.ceil(ageMs), (pendingReadAt ?? new Date(0)).getTime()));
}

function nothing({ pendingReadAt }: Cursor): PendingFindings {
  const none = { byRequest: new Map(), gone: [], missing: [], back: [] };
  return { ...none, readAt: pendingReadAt, hasMore: false, settle: () => undefined };
}
