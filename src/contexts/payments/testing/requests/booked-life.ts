import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { PaymentRequestEvent } from '../../contract/payment-request-events.js';
import { PaymentRequest } from '../../domain/requests/payment-request.js';
import { isSame, type Selection } from '../../domain/requests/selection.js';
import type { Transfer } from '../../domain/requests/transfer.js';
import { NETWORK } from './collecting-world.js';
import {
  chosenRequest,
  LAST_BLOCK,
  LAST_OTHER_BLOCK,
  progressTo,
  threeSelections,
  timeOf,
  transferTo,
} from './payment-request-builder.js';
import { isEnded } from '../../domain/requests/status.js';
import { statesOf, type TransferRow } from './transfer-states.js';

/** Blocks until a block is final. */
const DEPTH = 4;

interface Chain {
  readonly blocks: Transfer[][];
  final: number;
  /** No balances are known of this block and of those up to `tellsAgain`. */
  readonly gapFrom: number;
  readonly tellsAgain: number;
  /** The newest block of which they are. */
  known: number;
}

/** The state after a step. Amounts are sums over rows. */
interface Step {
  readonly received: bigint;
  readonly reversedAmount: bigint;
  readonly counted: bigint;
  readonly reversed: bigint;
  /** For each transfer ever seen all states that its row is in. */
  readonly states: readonly string[][];
}

/** A request with chains that do what they like, and rows that hold what its repository would: it loads no others. */
export class BookedLife {
  readonly steps: Step[] = [];
  readonly networks: readonly string[];
  private readonly chosen: readonly Selection[];
  private readonly chains: Map<string, Chain>;
  private readonly rows = new Map<string, TransferRow>();
  private readonly events: PaymentRequestEvent[] = [];
  private readonly eagerness: number;
  private request: PaymentRequest;

  constructor(private readonly random: SeededRandom) {
    const all = threeSelections([100n, 80n, 60n]);
    this.chosen = random.shuffled(all).slice(0, random.whole(1, 3));
    this.networks = [...new Set(this.chosen.map(({ network }) => network))];
    this.chains = new Map(this.networks.map((network) => [network, this.emptyChain()]));
    this.eagerness = random.next() * 0.2;
    this.request = chosenRequest(...this.chosen);
  }

  heightOf(network: string): number {
    return this.chains.get(network)!.blocks.length;
  }

  state() {
    return this.request.snapshot();
  }

  /** Some blocks more, of which the last few are not final. */
  read(network: string, count: number): void {
    const chain = this.chains.get(network)!;
    const arrived = Array.from({ length: count }, () => this.mine(network, chain)).flat();
    chain.final = Math.max(chain.final, chain.blocks.length - DEPTH);
    const head = chain.blocks.length - 1;
    if (head < chain.gapFrom || head >= chain.tellsAgain) chain.known = head;
    this.turn((request, now) => {
      request.receive(
        arrived.map((transfer) => ({
          ...transfer,
          awaitsCrossCheck: transfer.amount > 70n,
          gatheredOn: null,
        })),
        now,
      );
      this.follow(request, now);
    });
  }

  agreeOnSome(share: number): void {
    const waiting = [...this.rows.values()].filter((row) => row.canonical && row.awaitsCrossCheck);
    for (const row of waiting.filter(() => this.random.chance(share)))
      this.rows.set(row.id, { ...row, awaitsCrossCheck: false });
    this.turn((request, now) => this.follow(request, now));
  }

  takeBack(network: string, blocks: number): void {
    const chain = this.chains.get(network)!;
    const lost = new Set(
      chain.blocks
        .splice(Math.max(chain.blocks.length - blocks, 0))
        .flat()
        .map(({ id }) => id),
    );
    chain.final = Math.min(chain.final, chain.blocks.length - 1);
    chain.known = Math.min(chain.known, chain.blocks.length - 1);
    const before = [...this.rows.values()].filter(({ id }) => lost.has(id));
    for (const row of before) this.rows.set(row.id, { ...row, canonical: false, counted: false });
    this.turn((request, now) => {
      request.lose(before, now);
      this.follow(request, now);
    });
  }

  fail(): void {
    this.turn((request, now) => {
      request.fail(now);
      this.follow(request, now);
    });
  }

  /** All that stands is final and agreed on. */
  settle(): void {
    for (const chain of this.chains.values()) chain.final = chain.blocks.length - 1;
    this.agreeOnSome(1);
  }

  /** The transfers that the chains have. */
  standing(): Transfer[] {
    return [...this.chains.values()].flatMap(({ blocks }) => blocks.flat());
  }

  deposits() {
    return this.events.flatMap(({ type, data, occurredAt }) =>
      type === 'payment_request.deposit_received' ? [{ ...data, occurredAt }] : [],
    );
  }

  reversals() {
    return this.events.flatMap(({ type, data, occurredAt }) =>
      type === 'payment_request.credit_reversed' ? [{ ...data, occurredAt }] : [],
    );
  }

  /** Every amount that a ledger would post. */
  booked(): { as: string; amount: bigint }[] {
    const confirmed = this.events.flatMap((event) =>
      event.type === 'payment_request.confirmed'
        ? [{ as: 'confirmed', amount: BigInt(event.data.receivedAmount) }]
        : [],
    );
    const reversals = this.reversals().map(({ postedAs, before, after }) => ({
      as: `${postedAs} reversed`,
      amount: BigInt(after) - BigInt(before),
    }));
    const deposits = this.deposits().map(({ reason, amount }) => ({ as: reason, amount: BigInt(amount) }));
    return [...confirmed, ...deposits, ...reversals];
  }

  /** In the plainest words, why a transfer is no part of an outcome. */
  reasonFor(transferId: string): string {
    const { network, blockTime, uniqueAssetId } = this.rows.get(transferId)!;
    if (blockTime > timeOf(network === NETWORK ? LAST_BLOCK : LAST_OTHER_BLOCK)) return 'late';
    return this.chosen.some((selection) => selection.uniqueAssetId === uniqueAssetId)
      ? 'after_outcome'
      : 'other_asset';
  }

  endedAt(): Date {
    return this.state().history.at(-1)!.at;
  }

  private emptyChain(): Chain {
    const gapFrom = this.random.whole(LAST_BLOCK - 20, LAST_BLOCK);
    return { blocks: [], final: -1, gapFrom, tellsAgain: gapFrom + this.random.whole(0, 20), known: -1 };
  }

  private mine(network: string, { blocks, tellsAgain, known }: Chain): Transfer[] {
    const shown = this.chosen.filter((selection) => selection.network === network);
    const block = Array.from(
      { length: this.random.chance(this.eagerness) ? this.random.whole(1, 3) : 0 },
      (_, index): Transfer => {
        const selection = shown[this.random.whole(0, shown.length - 1)]!;
        const amount = this.random.chance(0.3) ? selection.amount : BigInt(this.random.whole(1, 60));
        const asked = transferTo(selection, amount, blocks.length, index);
        return this.random.chance(0.1) ? { ...asked, uniqueAssetId: `n${network}_t0xdd` } : asked;
      },
    );
    if (blocks.length === tellsAgain && this.random.chance(0.5)) {
      const found = transferTo(shown[0]!, BigInt(this.random.whole(1, 60)), tellsAgain);
      block.push({ ...found, kind: 'balance', transactionHash: null, blockTime: timeOf(known) });
    }
    blocks.push(block);
    return block;
  }

  private follow(request: PaymentRequest, now: Date): void {
    const begun = [...this.chains].filter(([, { blocks }]) => blocks.length > 0);
    request.judge(
      new Map(
        begun.map(([network, { blocks, final, known }]) => [
          network,
          progressTo(blocks.length - 1, final < 0 ? null : final, known),
        ]),
      ),
      now,
    );
  }

  /** One unit of work, by a clock that other processes' may be ahead of. */
  private turn(act: (request: PaymentRequest, now: Date) => void): void {
    const loaded = [...this.rows.values()].filter((row) => row.canonical && row.depositedAt === null);
    const transfers = loaded.map(({ canonical: _, ...transfer }) => transfer);
    const request = PaymentRequest.restore({ ...this.request.snapshot(), transfers });
    const head = Math.max(...this.networks.map((network) => this.heightOf(network)));
    act(request, timeOf(head + this.random.whole(-2, 2)));
    for (const saved of request.unsaved().transfers) {
      const canonical = saved.reversedAt === null && (this.rows.get(saved.id)?.canonical ?? true);
      this.rows.set(saved.id, { ...saved, canonical });
    }
    this.events.push(...request.pullEvents());
    this.request = request;
    this.look();
  }

  private look(): void {
    const { status, selected, receivedAmount, reversedAmount } = this.state();
    const rows = [...this.rows.values()];
    const total = (some: readonly TransferRow[]) => some.reduce((sum, { amount }) => sum + amount, 0n);
    this.steps.push({
      received: receivedAmount,
      reversedAmount,
      counted: total(rows.filter((row) => row.counted && isSame(row, selected!))),
      reversed: total(rows.filter((row) => row.reversedAt !== null && row.depositedAt === null)),
      states: rows.map((row) => statesOf(row, this.chains.get(row.network)!.final, isEnded(status))),
    });
  }
}
