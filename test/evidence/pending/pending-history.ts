import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { OutputTransaction } from '#contexts/networks/testing/output-chain.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';
import {
  GRACE_MS,
  openOutputPayments,
  type OutputPayments,
} from '#contexts/chain-watching/testing/output-payments.js';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { PendingModel } from './pending-model.js';

class Death extends Error {}

const WEIGHTS = {
  ask: 2,
  pay: 4,
  bump: 2,
  replace: 1,
  evict: 1,
  holdAgain: 1,
  wait: 3,
  mine: 3,
  mineSome: 1,
  mineNone: 1,
  reorganize: 1,
  die: 1,
  takeOver: 1,
  lookInPart: 1,
  outage: 1,
};
type Act = keyof typeof WEIGHTS;
const ACTS = Object.entries(WEIGHTS).flatMap(([act, weight]) => Array<Act>(weight).fill(act as Act));
const AMOUNTS = [600n, 1_000n, 7_000n, 40_000n];
const CONFIRMATIONS = 3;

/** A random history of payers, replacements, evictions, blocks and reorganizations, beside watchers that die and take over. */
export class PendingHistory {
  readonly acts: string[] = [];
  private readonly requests: PaymentRequestView[] = [];
  private readonly evicted: OutputTransaction[] = [];
  private isWhole = true;
  private saysAge = true;

  private constructor(
    readonly world: OutputPayments,
    private readonly random: SeededRandom,
    private readonly model: PendingModel,
  ) {}

  static async begin(random: SeededRandom): Promise<PendingHistory> {
    const world = await openOutputPayments(CONFIRMATIONS);
    const { chain } = world;
    const begun = { now: chain.now, blocks: chain.blocks, pool: [], isWhole: true, saysAge: true };
    return new PendingHistory(world, random, new PendingModel(CONFIRMATIONS, GRACE_MS, begun));
  }

  async play(steps: number): Promise<void> {
    await this.ask();
    for (let step = 0; step < steps; step += 1) {
      const act = this.oneOf(ACTS);
      this.acts.push(act);
      await this[act]();
      if (this.random.chance(0.6)) await this.follow();
    }
  }

  async end(): Promise<void> {
    this.isWhole = true;
    await this.follow();
    for (let i = 0; i < 20; i += 1) {
      await this.world.wait(i === 10 ? 26 * 60 : 20);
      this.world.chain.mine(i < 10 ? undefined : []);
      await this.follow();
    }
  }

  outcomes(): string[] {
    return this.model.requests.map(({ status }) => status);
  }

  async differences(): Promise<string[]> {
    const differences: string[] = [];
    for (const [i, expected] of this.model.requests.entries()) {
      const is = (await this.world.stateOf(this.requests[i]!)).join(' ');
      const should = [expected.status, expected.received].join(' ');
      if (is !== should)
        differences.push(`request ${i} of ${expected.asked} is ${is} and should be ${should}`);
    }
    return differences;
  }

  private async ask(): Promise<void> {
    const asked = this.oneOf(AMOUNTS);
    const request = await this.world.ask(asked);
    const address = canonicalAddress(request.address);
    this.requests.push(request);
    this.model.ask({ id: request.id, address, asked, expiresAt: request.expiresAt.getTime() });
  }

  private async pay(): Promise<void> {
    const outputs = [this.output(), ...(this.random.chance(0.25) ? [this.output()] : [])];
    this.world.chain.send(outputs, undefined, this.isCheap());
  }

  /** The same payment for a higher fee; at times of less or of more. */
  private async bump(): Promise<void> {
    const sent = this.pooled();
    if (sent === undefined) return;
    const by = this.oneOf([0n, 0n, -10n, 10n]);
    const outputs = sent.outputs.map(({ to, amount }) => ({
      to,
      amount: amount > 10n ? amount + by : amount,
    }));
    this.world.chain.send(outputs, this.spending(sent), this.isCheap());
  }

  private async replace(): Promise<void> {
    const sent = this.pooled();
    const to = this.random.chance(0.3) ? this.output().to : 'elsewhere';
    if (sent !== undefined)
      this.world.chain.send([{ to, amount: 500n }], this.spending(sent), this.isCheap());
  }

  private isCheap(): boolean {
    return this.random.chance(0.3);
  }

  private async evict(): Promise<void> {
    const sent = this.pooled();
    if (sent === undefined) return;
    this.world.chain.evict(sent);
    this.evicted.push(sent);
  }

  private async holdAgain(): Promise<void> {
    const [sent] = this.evicted.splice(0, 1);
    const spent = this.world.chain.blocks.flatMap(({ transactions }) =>
      transactions.flatMap(({ spends }) => spends),
    );
    if (sent !== undefined && !sent.spends.some((each) => spent.includes(each))) this.world.chain.hold(sent);
  }

  private async wait(): Promise<void> {
    await this.world.wait(this.oneOf([1, 1, 3, 3, 7, 12, 45, 90]));
  }

  private async outage(): Promise<void> {
    await this.world.wait(this.oneOf([120, 120, 25 * 60]));
  }

  private async mine(): Promise<void> {
    this.mineBlock([...this.world.chain.pool.values()]);
  }

  private async mineSome(): Promise<void> {
    this.mineBlock([...this.world.chain.pool.values()].filter(() => this.random.chance(0.5)));
  }

  private async mineNone(): Promise<void> {
    this.mineBlock([]);
  }

  /** Stamped up to an hour and a half off, as far as the chain lets it. */
  private mineBlock(transactions: OutputTransaction[]): void {
    const { chain } = this.world;
    const off = this.random.chance(0.3) ? this.random.wholeNumber(-90, 90) * 60_000 : 0;
    chain.mine(transactions, Math.max(chain.head.time.getTime() + 1_000, chain.now + off));
  }

  private async reorganize(): Promise<void> {
    const depth = this.random.wholeNumber(1, CONFIRMATIONS - 1);
    this.world.chain.reorganize(depth);
    if (this.random.chance(0.4)) await this.replace();
    for (let i = 0; i <= depth; i += 1) await (this.random.chance(0.5) ? this.mineNone() : this.mineSome());
  }

  /** A watcher dies before one of its statements, and another one takes over at once. */
  private async die(): Promise<void> {
    let left = this.random.wholeNumber(1, 40);
    this.world.database.beforeStatement = () => {
      left -= 1;
      if (left === 0) throw new Death();
    };
    this.set();
    try {
      await this.world.follow();
    } catch (error) {
      if (!(error instanceof Death)) throw error;
    } finally {
      this.world.database.beforeStatement = () => undefined;
    }
    this.world.takeOver();
    await this.follow();
  }

  private async takeOver(): Promise<void> {
    this.world.takeOver();
    this.saysAge = this.random.chance(0.6);
  }

  private async lookInPart(): Promise<void> {
    this.isWhole = false;
    await this.follow();
    this.isWhole = true;
  }

  private async follow(): Promise<void> {
    this.set();
    await this.world.follow();
    const { chain } = this.world;
    const { isWhole, saysAge } = this;
    this.model.observe({
      now: chain.now,
      blocks: chain.blocks,
      pool: [...chain.pool.values()],
      isWhole,
      saysAge,
    });
    const differences = await this.differences();
    if (differences.length > 0) throw new Error(differences.join('\n'));
  }

  private set(): void {
    this.world.pending().isWhole = this.isWhole;
    this.world.pending().saysAge = this.saysAge;
  }

  private output() {
    const request = this.oneOf(this.requests);
    const asked = this.model.requests.find(({ id }) => id === request.id)!.asked;
    const amount = this.oneOf([asked, asked, asked, asked / 2n, asked + 1n, 10n]);
    return { to: canonicalAddress(request.address), amount };
  }

  private pooled(): OutputTransaction | undefined {
    const all = [...this.world.chain.pool.values()];
    return all.length === 0 ? undefined : this.oneOf(all);
  }

  /** At times what another one spends too. */
  private spending({ spends }: OutputTransaction): readonly string[] {
    const other = this.random.chance(0.2) ? (this.pooled()?.spends ?? []) : [];
    return [...new Set([...spends, ...other])];
  }

  private oneOf<T>(choices: readonly T[]): T {
    return choices[this.random.wholeNumber(0, choices.length - 1)]!;
  }
}
