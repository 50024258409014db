import { Injectable } from '@nestjs/common';
import {
  ChainUnavailable,
  type OwnAddresses,
  orUnavailable,
} from '#contexts/networks/contract/chain-reader.js';
import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import {
  type GoneTransaction,
  type PendingFate,
  type PendingLook,
  type PendingTransfer,
  PendingTransfers,
} from '#contexts/networks/contract/pending-transfers.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointPool } from '../../endpoints/endpoint-pool.js';
import { JsonRpc } from '../../json-rpc/json-rpc.js';
import type { OutputTransfer } from '../reading/output-transfers.js';
import { WatchedChains } from '../reading/watched-chains.js';
import { POOL } from '../rpc/transaction-calls.js';
import { HeldTransactions } from './held-transactions.js';
import { PendingFates } from './pending-fates.js';
import { PoolAges } from './pool-ages.js';
import { ShownTransactions } from './shown-transactions.js';
import { spentBy } from './spent-outputs.js';

/** Seven million bytes come from a full mempool. */
const LIST_TIMEOUT_MS = 10_000;
/** Transactions of any size are held, so many of them, before anybody is asked whose they are. */
const EXAMINED_AT_ONCE = 500;

interface Followed {
  readonly held: HeldTransactions;
  /** How many transactions each endpoint listed, by position. */
  readonly counts: Map<number, number>;
  /** When the lists were asked for. */
  listedAt: number;
  isWhole: boolean;
  /** Positions of the endpoints whose lists say what is there. */
  counted: readonly number[];
}

/** The mempools of a network's endpoints, together. */
@Injectable()
export class BitcoinPendingTransfers extends PendingTransfers {
  private readonly followed = new Map<string, Followed>();

  constructor(
    private readonly networks: WatchedChains,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
    private readonly shown: ShownTransactions,
    private readonly ages: PoolAges,
    private readonly rivals: PendingFates,
  ) {
    super();
  }

  async look(network: string, ours: OwnAddresses, limit: number): Promise<PendingLook> {
    const watched = this.networks.watched(network);
    const followed = this.of(network);
    if (performance.now() - followed.listedAt >= watched.mempoolPollMs) await this.list(network, followed);
    const { held } = followed;
    const taken = held.take(limit);
    const examined: string[] = [];
    const refused: (readonly [string, number])[] = [];
    const own: OutputTransfer[] = [];
    let isWhole = followed.isWhole;
    try {
      for (let from = 0; from < taken.length; from += EXAMINED_AT_ONCE) {
        const ids = taken.slice(from, from + EXAMINED_AT_ONCE);
        const found = await this.shown.ownOf(network, watched, held, ids, ours);
        own.push(...found.transfers);
        examined.push(...found.examined);
        refused.push(...found.refused);
        isWhole &&= found.isWhole;
      }
    } catch (error) {
      // Nobody learns of what was found: it is new to the next look.
      held.settle(taken, [], []);
      throw error;
    }
    held.settle(taken, examined, refused);
    const ageMs = performance.now() - followed.listedAt;
    const transfers = await this.withAges(network, followed, own);
    return { transfers, isWhole, ageMs, hasMore: held.hasMore, has: held.presence(followed.counted) };
  }

  async fates(network: string, gone: readonly GoneTransaction[]): Promise<PendingFate[]> {
    this.networks.watched(network);
    const { held, counted } = this.of(network);
    const wasListed = held.presence(counted);
    const answers = await this.ofEach(network, (endpoint) => this.rivals.replaced(endpoint, gone, wasListed));
    return gone.map(({ transactionHash }) =>
      [...answers.values()].some((replaced) => replaced.has(transactionHash)) ? 'replaced' : 'waits',
    );
  }

  conflict(_network: string, one: Derivation, other: Derivation): boolean {
    const spent = new Set(spentBy(one));
    return spentBy(other).some((output) => spent.has(output));
  }

  conflictingParts(_network: string, evidence: Derivation): readonly Derivation[] {
    return spentBy(evidence).map((output) => ({ spends: [output] }));
  }

  private async list(network: string, followed: Followed): Promise<void> {
    const begun = performance.now();
    const lists = await this.ofEach(network, (endpoint) =>
      this.rpc.call(endpoint, { ...POOL, timeoutMs: LIST_TIMEOUT_MS }),
    );
    const silent = this.pool.admitted(network).filter(({ endpoint }) => !lists.has(endpoint.position));
    // One that fails for the moment may hold what is seen nowhere else; one that is away is gone on without, as for blocks.
    const missed = silent.filter(({ isAway }) => !isAway).map(positionOf);
    followed.held.listed(lists, missed);
    for (const [position, { length }] of lists) followed.counts.set(position, length);
    followed.isWhole = missed.length === 0;
    followed.counted = [...lists.keys(), ...missed];
    followed.listedAt = begun;
  }

  /** The longest that any node says. */
  private async withAges(
    network: string,
    { held, counts }: Followed,
    transfers: readonly OutputTransfer[],
  ): Promise<PendingTransfer[]> {
    if (transfers.length === 0) return [];
    const ids = [...new Set(transfers.map(({ transactionHash }) => transactionHash))];
    const answers = await Promise.all(
      this.pool.admitted(network).map(({ endpoint, isFailing }) => {
        const there = ids.filter((id) => held.isShownBy(id, endpoint.position));
        if (isFailing || there.length === 0) return new Map<string, number>();
        return this.ages.of(endpoint, there, counts.get(endpoint.position) ?? 0);
      }),
    );
    return transfers.map((transfer) => {
      const ages = answers.flatMap((ages) => ages.get(transfer.transactionHash) ?? []);
      return { ...transfer, heldForMs: ages.length === 0 ? null : Math.max(...ages) };
    });
  }

  /**
   * One that failed is asked where no other may be: else the pool learns that it answers again, and no turn waits for it.
   * @returns the answers by the positions of the endpoints @throws ChainUnavailable where none answers
   */
  private async ofEach<T>(network: string, ask: (endpoint: Endpoint) => Promise<T>): Promise<Map<number, T>> {
    const answers = new Map<number, T>();
    let failure = new ChainUnavailable(network, 'no endpoint may be asked at the moment.');
    const askable = this.pool.admitted(network).filter(({ mayBeAsked }) => mayBeAsked);
    const well = askable.filter(({ isFailing }) => !isFailing);
    await Promise.all(
      (well.length > 0 ? well : askable).map(async ({ endpoint }) => {
        const answer = await orUnavailable(this.pool.asking(endpoint, ask));
        if (answer instanceof ChainUnavailable) failure = answer;
        else answers.set(endpoint.position, answer);
      }),
    );
    if (answers.size === 0) throw failure;
    return answers;
  }

  private of(network: string): Followed {
    let followed = this.followed.get(network);
    if (followed === undefined) {
      const held = new HeldTransactions();
      followed = { held, counts: new Map(), listedAt: -Infinity, isWhole: false, counted: [] };
      this.followed.set(network, followed);
    }
    return followed;
  }
}

function positionOf({ endpoint }: { readonly endpoint: Endpoint }): number {
  return endpoint.position;
}
