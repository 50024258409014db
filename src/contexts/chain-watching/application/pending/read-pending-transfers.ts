import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { Clock } from '#shared/kernel/clock.js';
import { catchChainUnavailable, type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type MempoolSnapshot } from '#contexts/networks/contract/pending-transfers.js';
import type { Cursor } from '../../domain/cursor.js';
import {
  PendingTransferRecords,
  type RecordedPendingTransfer,
} from '../../contract/pending-transfer-records.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';
import type { TransfersByRequest } from '../transfers-by-request.js';
import { AcceptPendingTransfers } from './accept-pending-transfers.js';
import { PendingTransferQueue } from './pending-transfer-queue.js';

/** Limits per iteration, because anyone can create any number of pending transactions. */
const EXAMINED_TRANSACTIONS_PER_ITERATION = 2_000;
const STORED_TRANSFERS_PER_ITERATION = 500;
const COMPARED_TRANSFERS_PER_ITERATION = 500;
const FATE_CHECKS_PER_ITERATION = 50;

export interface PendingTransferFindings {
  readonly byRequest: TransfersByRequest;
  /** Ids of recorded transfers that are now in a block, were replaced or have lapsed. */
  readonly ended: readonly string[];
  /** Ids of recorded transfers that are in no mempool any longer (`missing`), or in a mempool again (`back`). */
  readonly missing: readonly string[];
  readonly back: readonly string[];
  readonly readAt: Date | null;
  readonly hasMore: boolean;
  /** Must be called after the findings are committed: the next iteration then continues after them. */
  readonly onStored: () => void;
}

type NewestReadBlock = Pick<BlockHeader, 'hash' | 'time'>;

interface MempoolComparison {
  readonly ended: readonly string[];
  readonly missing: readonly string[];
  readonly back: readonly string[];
  /** Null if the next comparison starts again at the first transfer. */
  readonly last: RecordedPendingTransfer | null;
  readonly hasMoreLapsed: boolean;
}

/** Claims to hold every transaction, so that no transaction counts as removed. */
const UNANSWERED_MEMPOOL_CHECK: MempoolSnapshot = {
  transfers: [],
  isWhole: false,
  ageMs: 0,
  hasMore: false,
  has: () => true,
};

/**
 * Blocks are read first, so that a transaction mined in between is found. New transactions come before recorded ones,
 * because a recorded transfer that is in no mempool may have been replaced by a new one.
 */
@Injectable()
export class ReadPendingTransfers {
  private readonly queues = new Map<string, PendingTransferQueue>();
  private readonly lastCompared = new Map<string, RecordedPendingTransfer | null>();

  constructor(
    private readonly chains: Chains,
    private readonly seen: PendingTransferRecords,
    private readonly acceptPendingTransfers: AcceptPendingTransfers,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
  ) {}

  async read(
    network: string,
    cursor: Cursor,
    readTo: NewestReadBlock,
    arrived: TransfersByRequest,
  ): Promise<PendingTransferFindings> {
    if (this.catalogue.network(network)!.pendingGraceSeconds === undefined) return noPendingFindings(cursor);
    const queue = this.queues.get(network) ?? new PendingTransferQueue();
    this.queues.set(network, queue);
    const startedAt = await this.clock.now();
    const look = await this.checkMempools(network, queue);
    for (const transfer of look.transfers)
      queue.add({ ...transfer, seenAt: firstSeenTime(transfer, cursor, startedAt) });
    queue.keepOnlyHeld(look.has);
    const taken = queue.oldestTransactions(STORED_TRANSFERS_PER_ITERATION);
    const accepted = await this.acceptPendingTransfers.accept(network, readTo.time, look, taken, arrived);
    const areAllDecided = !look.hasMore && accepted.decided.length === queue.transactionCount;
    const compared = await this.compareRecorded(network, readTo, look, accepted.ended, areAllDecided);
    return {
      byRequest: accepted.byRequest,
      ended: [...new Set([...accepted.ended, ...compared.ended])],
      missing: compared.missing,
      back: compared.back,
      readAt:
        look.isWhole && areAllDecided ? mempoolsReadUpTo(cursor, startedAt, look) : cursor.pendingReadAt,
      hasMore: (look.isWhole && !areAllDecided) || compared.hasMoreLapsed,
      onStored: () => {
        queue.remove(accepted.decided);
        this.lastCompared.set(network, compared.last);
      },
    };
  }

  private async checkMempools(network: string, queue: PendingTransferQueue): Promise<MempoolSnapshot> {
    const ours = this.matchTransfers.ownAddressLookup(network);
    const limit = Math.max(0, EXAMINED_TRANSACTIONS_PER_ITERATION - queue.transactionCount);
    const looked = await catchChainUnavailable(this.chains.of(network).pending!.pollMempools(ours, limit));
    return looked instanceof Error ? UNANSWERED_MEMPOOL_CHECK : looked;
  }

  /**
   * @param areAllDecided if false, no transfer counts as replaced, because an undecided transaction may be a
   * replacement
   */
  private async compareRecorded(
    network: string,
    readTo: NewestReadBlock,
    look: MempoolSnapshot,
    ended: ReadonlySet<string>,
    areAllDecided: boolean,
  ): Promise<MempoolComparison> {
    const after = this.lastCompared.get(network) ?? null;
    const page = await this.seen.pendingTransfers(
      network,
      readTo.time,
      after,
      COMPARED_TRANSFERS_PER_ITERATION,
    );
    const lapsed = page.filter(({ lapsesAt }) => lapsesAt < readTo.time);
    const others = page.slice(lapsed.length);
    const pending = others.filter(({ id }) => !ended.has(id));
    // A transaction is missing only if every endpoint returned its complete mempool.
    const held = look.isWhole ? pending.filter(({ transactionHash }) => look.has(transactionHash)) : pending;
    const notHeld = pending.filter((transfer) => !held.includes(transfer));
    const checked = areAllDecided ? notHeld.slice(0, FATE_CHECKS_PER_ITERATION) : [];
    const replaced = await this.findReplacedTransfers(network, readTo, checked);
    const missing = notHeld.filter(({ id, missingSince }) => missingSince === null && !replaced.includes(id));
    const back = look.isWhole ? held.filter(({ missingSince }) => missingSince !== null) : [];
    return {
      ended: [...lapsed.map(({ id }) => id), ...replaced],
      missing: missing.map(({ id }) => id),
      back: back.map(({ id }) => id),
      last: findLastComparedTransfer(others, notHeld, checked),
      hasMoreLapsed: lapsed.length === COMPARED_TRANSFERS_PER_ITERATION,
    };
  }

  private async findReplacedTransfers(
    network: string,
    readTo: NewestReadBlock,
    notHeld: readonly RecordedPendingTransfer[],
  ): Promise<string[]> {
    if (notHeld.length === 0) return [];
    const evidence = await this.seen.evidence(notHeld.map(({ id }) => id));
    const fates = await catchChainUnavailable(
      this.chains.of(network).pending!.statuses([...evidence.values()]),
    );
    if (fates instanceof Error) return [];
    const replaced = [...evidence.keys()].filter((_, i) => fates[i] === 'replaced');
    if (replaced.length === 0) return [];
    // An unread block may contain a replacement that pays the same request and inherits the first sight.
    const newest = await catchChainUnavailable(this.chains.of(network).reader.head());
    return !(newest instanceof Error) && newest.head.hash === readTo.hash ? replaced : [];
  }
}

/**
 * A node's claim counts only back to the last complete mempool check, so it makes a payment earlier by at most an
 * outage.
 */
function firstSeenTime(
  { heldForMs }: { readonly heldForMs: number | null },
  { pendingReadAt }: Cursor,
  now: Date,
): Date {
  const claimed = now.getTime() - Math.max(0, heldForMs ?? 0);
  return new Date(Math.min(now.getTime(), Math.max(claimed, (pendingReadAt ?? now).getTime())));
}

function findLastComparedTransfer(
  page: readonly RecordedPendingTransfer[],
  notHeld: readonly RecordedPendingTransfer[],
  checked: readonly RecordedPendingTransfer[],
): RecordedPendingTransfer | null {
  if (checked.length > 0 && notHeld.length > checked.length) return checked.at(-1)!;
  return page.length < COMPARED_TRANSFERS_PER_ITERATION ? null : page.at(-1)!;
}

function mempoolsReadUpTo({ pendingReadAt }: Cursor, startedAt: Date, { ageMs }: MempoolSnapshot): Date {
  return new Date(Math.max(startedAt.getTime() - Math.ceil(ageMs), (pendingReadAt ?? new Date(0)).getTime()));
}

function noPendingFindings({ pendingReadAt }: Cursor): PendingTransferFindings {
  const none = { byRequest: new Map(), ended: [], missing: [], back: [] };
  return { ...none, readAt: pendingReadAt, hasMore: false, onStored: () => undefined };
}
