import {
  ChainUnavailable,
  type OwnAddressLookup,
  catchChainUnavailable,
} from '#contexts/networks/contract/chain-reader.js';
import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import type {
  MissingMempoolTransaction,
  PendingTransactionStatus,
  MempoolSnapshot,
  PendingTransfer,
  PendingTransfers,
} from '#contexts/networks/contract/pending-transfers.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { EndpointPool } from '../../rpc/endpoint-pool.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { EndpointFailure } from '../../rpc/rpc-failures.js';
import type { OutputTransfer } from '../reading/output-transfers.js';
import type { WatchedChains } from '../reading/watched-chains.js';
import { MEMPOOL_IDS_CALL } from '../rpc/transaction-calls.js';
import { MempoolIndex } from './mempool-index.js';
import { type ReplacedTransactions, spentOutputsOf } from './replaced-transactions.js';
import type { MempoolEntryFacts, MempoolEntries } from './mempool-entries.js';
import type { MempoolTransactions } from './mempool-transactions.js';

/** The list of a full mempool has seven million bytes. */
const LIST_TIMEOUT_MS = 10_000;
const EXAMINED_PER_BATCH = 500;
/** An honest endpoint misses only transactions that were mined between the list and the calls. */
const MAX_WITHHELD_TRANSACTIONS = 200;
/** The worker stops waiting for a slower endpoint if the mempool of a faster one is complete. */
const EXAMINATION_TIMEOUT_MS = 600_000;
const EXCLUSION_MS = 600_000;

/** Maximum number of low-fee transfers whose fee is checked again, because anyone can create any number. */
const MAX_LOW_FEE_TRANSFERS = 500;

interface FollowedMempools {
  readonly held: MempoolIndex;
  readonly counts: Map<number, number>;
  listedAt: number;
  isWhole: boolean;
  /** True after every endpoint has answered at least once. */
  wasWhole: boolean;
  counted: readonly number[];
  cheap: readonly OutputTransfer[];
  readonly behindSince: Map<number, number>;
  readonly leftOutUntil: Map<number, number>;
}

export class BitcoinPendingTransfers implements PendingTransfers {
  private readonly followed: FollowedMempools = {
    held: new MempoolIndex(),
    counts: new Map(),
    listedAt: -Infinity,
    isWhole: false,
    wasWhole: false,
    counted: [],
    cheap: [],
    behindSince: new Map(),
    leftOutUntil: new Map(),
  };

  constructor(
    private readonly network: string,
    private readonly networks: WatchedChains,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
    private readonly shown: MempoolTransactions,
    private readonly entries: MempoolEntries,
    private readonly rivals: ReplacedTransactions,
  ) {}

  async pollMempools(ours: OwnAddressLookup, limit: number): Promise<MempoolSnapshot> {
    const watched = this.networks.readableNetwork(this.network);
    const { followed } = this;
    const isListed = performance.now() - followed.listedAt >= watched.mempoolPollMs;
    if (isListed) await this.list();
    const { held } = followed;
    const taken = held.takeUnexamined(followed.wasWhole ? limit : 0);
    const examined: string[] = [];
    const refused: (readonly [string, number])[] = [];
    const own: OutputTransfer[] = [];
    let isWhole = followed.isWhole;
    try {
      for (let from = 0; from < taken.length; from += EXAMINED_PER_BATCH) {
        const ids = taken.slice(from, from + EXAMINED_PER_BATCH);
        const found = await this.shown.findOwnTransfers(this.network, watched, held, ids, ours);
        own.push(...found.transfers);
        examined.push(...found.examined);
        refused.push(...found.refused);
        isWhole &&= found.isWhole;
      }
    } catch (error) {
      // The caller never receives these transactions, so the next check must examine them again.
      held.recordExamined(taken, [], []);
      throw error;
    }
    held.recordExamined(taken, examined, refused);
    const ageMs = performance.now() - followed.listedAt;
    const has = held.presence(followed.counted);
    const again = isListed ? followed.cheap.filter(({ transactionHash }) => has(transactionHash)) : [];
    const shown = await this.withFacts([...own, ...again]);
    const transfers = shown.filter(({ paysEnough }, i) => i < own.length || paysEnough);
    const unchanged = isListed ? [] : followed.cheap;
    const cheap = [...unchanged, ...[...own, ...again].filter((_, i) => !shown[i]!.paysEnough)];
    followed.cheap = cheap.slice(0, MAX_LOW_FEE_TRANSFERS);
    this.leaveOut();
    isWhole &&= followed.isWhole;
    return { transfers, isWhole, ageMs, hasMore: held.hasMore, has: held.presence(followed.counted) };
  }

  async statuses(gone: readonly MissingMempoolTransaction[]): Promise<PendingTransactionStatus[]> {
    this.networks.readableNetwork(this.network);
    const { held, counted } = this.followed;
    const wasListed = held.presence(counted);
    const answers = await this.ofEach((endpoint) => this.rivals.replaced(endpoint, gone, wasListed));
    return gone.map(({ transactionHash }) =>
      [...answers.values()].some((replaced) => replaced.has(transactionHash)) ? 'replaced' : 'waits',
    );
  }

  areConflicting(one: Derivation, other: Derivation): boolean {
    const spent = new Set(spentOutputsOf(one));
    return spentOutputsOf(other).some((output) => spent.has(output));
  }

  conflictingEvidenceParts(evidence: Derivation): readonly Derivation[] {
    return spentOutputsOf(evidence).map((output) => ({ spends: [output] }));
  }

  private async list(): Promise<void> {
    const { followed } = this;
    const begun = performance.now();
    const lists = await this.ofEach(
      (endpoint) => this.rpc.call(endpoint, { ...MEMPOOL_IDS_CALL, timeoutMs: LIST_TIMEOUT_MS }),
      (endpoint) => !isExcluded(followed, endpoint, begun),
    );
    const silent = this.pool
      .admittedEndpoints(this.network)
      .filter(({ endpoint }) => !(lists.has(endpoint.position) || isExcluded(followed, endpoint, begun)));
    // Keeps the last list of an endpoint that fails briefly, because it may hold transactions that no other endpoint
    // has.
    const missed = silent.filter(({ isAway }) => !isAway).map(positionOf);
    followed.held.updateLists(lists, missed);
    for (const [position, { length }] of lists) followed.counts.set(position, length);
    followed.isWhole = missed.length === 0 && !this.pool.isVerifyingEndpoints(this.network);
    followed.wasWhole ||= followed.isWhole;
    followed.counted = [...lists.keys(), ...missed];
    followed.listedAt = begun;
  }

  /**
   * Excludes an endpoint whose list cannot be examined, if another endpoint can be used: payment requests would
   * otherwise stay open.
   */
  private leaveOut(): void {
    const { followed } = this;
    const { held, behindSince, leftOutUntil } = followed;
    const now = performance.now();
    for (const position of followed.counted)
      if (!held.hasUnexaminedFrom(position)) behindSince.delete(position);
      else if (!behindSince.has(position)) behindSince.set(position, now);
    for (const { endpoint } of this.pool.admittedEndpoints(this.network)) {
      const { position } = endpoint;
      const others = followed.counted.filter((each) => each !== position);
      const isLying = held.countWithheldBy(position) >= MAX_WITHHELD_TRANSACTIONS;
      const isTooMuch =
        now - (behindSince.get(position) ?? now) >= EXAMINATION_TIMEOUT_MS &&
        others.some((each) => !behindSince.has(each));
      if (!isLying && !isTooMuch) continue;
      const reason = `its mempool lists ${isLying ? 'transactions that it does not return' : 'too many transactions'}.`;
      this.pool.recordFailure(endpoint, new EndpointFailure(this.network, reason, 'malformed'));
      if (others.length === 0) followed.isWhole = false;
      else {
        leftOutUntil.set(position, now + EXCLUSION_MS);
        behindSince.delete(position);
        held.updateLists(new Map(), others);
        followed.counted = others;
      }
    }
  }

  /** An age counts if two nodes report it, or if there is only one. A fee counts only if no node contradicts it. */
  private async withFacts(transfers: readonly OutputTransfer[]): Promise<PendingTransfer[]> {
    if (transfers.length === 0) return [];
    const { held, counts } = this.followed;
    const ids = [...new Set(transfers.map(({ transactionHash }) => transactionHash))];
    const answers = await Promise.all(
      this.pool.admittedEndpoints(this.network).map(({ endpoint, isFailing }) => {
        const there = ids.filter((id) => held.isListedBy(id, endpoint.position));
        if (isFailing || there.length === 0) return new Map<string, MempoolEntryFacts>();
        return this.entries.readFacts(endpoint, there, counts.get(endpoint.position) ?? 0);
      }),
    );
    const agreeing = this.pool.hasSingleEndpoint(this.network) ? 1 : 2;
    return transfers.map((transfer) => {
      const facts = answers.flatMap((answer) => answer.get(transfer.transactionHash) ?? []);
      const ages = facts.map(({ ageMs }) => ageMs).sort((a, b) => b - a);
      const paysEnough = facts.length > 0 && facts.every((each) => each.paysEnough);
      return { ...transfer, heldForMs: ages[agreeing - 1] ?? null, paysEnough };
    });
  }

  /** Calls a failed endpoint only if no other endpoint may be called. */
  private async ofEach<T>(
    ask: (endpoint: Endpoint) => Promise<T>,
    isAsked: (endpoint: Endpoint) => boolean = () => true,
  ): Promise<Map<number, T>> {
    const answers = new Map<number, T>();
    let failure = new ChainUnavailable(this.network, 'no endpoint can be queried at the moment.');
    const askable = this.pool
      .admittedEndpoints(this.network)
      .filter(({ endpoint, mayBeAsked }) => mayBeAsked && isAsked(endpoint));
    const well = askable.filter(({ isFailing }) => !isFailing);
    await Promise.all(
      (well.length > 0 ? well : askable).map(async ({ endpoint }) => {
        const answer = await catchChainUnavailable(this.pool.asking(endpoint, ask, 'reading'));
        if (answer instanceof ChainUnavailable) failure = answer;
        else answers.set(endpoint.position, answer);
      }),
    );
    if (answers.size === 0) throw failure;
    return answers;
  }
}

function isExcluded({ leftOutUntil }: FollowedMempools, { position }: Endpoint, now: number): boolean {
  return now < (leftOutUntil.get(position) ?? 0);
}

function positionOf({ endpoint }: { readonly endpoint: Endpoint }): number {
  return endpoint.position;
}
