import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { differencesAtEnd, differencesSoFar, type Differences, type Facts } from './bitcoin-judge.js';
import type { Made } from './bitcoin-model.js';
import { madeAt, replacing, type Paying, type Payment } from './bitcoin-payers.js';
import type { MinedAt, Plan, PlannedPayment, Step } from './bitcoin-plan.js';
import type { BitcoinWorld, OpenRequest } from './bitcoin-world.js';

/** A payment under way, and what is its turn next. */
interface Sent {
  readonly planned: PlannedPayment;
  payment: Payment;
  minedAt: MinedAt;
  isReplaced: boolean;
}

const STEPS: readonly Step[] = [1, 2, 3, 4];
const DEEPEST = 10;
/** More than any depth, and enough for the chain's clock to pass what the blocks before are stamped. */
const FINAL_BLOCKS = 25;
/** Time between a deadline, or the end of a grace, and what is sent after it. */
const PAST_MS = 15_000;
const ENDS_WITHIN_MS = 60_000;

/** Many payment requests, each with its plan, on one chain: its blocks, reorganisations and restarts are drawn here. */
export class BitcoinRound {
  /** Words for each thing that happened. */
  readonly acts: string[] = [];
  /** Deadlines were passed while their payments were sent, by a machine that is too slow. */
  readonly undecided = new Set<string>();
  private readonly sent: Sent[] = [];
  private readonly made: Made[] = [];
  /** Sentences of how the service differs from the model, and when, by plan. */
  private readonly differences = new Map<Plan, string>();
  private requests: readonly OpenRequest[] = [];
  /** The height of the lowest block that can have a payment. */
  private lowest = 0;

  constructor(
    private readonly world: BitcoinWorld,
    readonly plans: readonly Plan[],
    private readonly random: SeededRandom,
  ) {}

  /** @returns by plan, how the service differs from the model, and when */
  async play(): Promise<ReadonlyMap<Plan, string>> {
    const { bitcoin } = this.world.node;
    const now = await this.world.now();
    await this.world.payers.prepare(this.plans.length * 4, now);
    this.lowest = (await bitcoin.miner.tip()).height - DEEPEST;
    await this.world.followed();
    this.requests = await this.world.create(this.plans);
    for (const step of STEPS) {
      await this.passTo(step);
      await this.send(step);
      await this.compare(`sent at ${step}`);
      await this.mine(step);
      await this.compare(`mined at ${step}`);
      if (this.random.chance(0.75)) {
        await this.reorganise(step);
        await this.compare(`reorganised at ${step}`);
      }
    }
    await this.mine(4);
    await this.block([], FINAL_BLOCKS);
    await this.compare('at the end', differencesAtEnd);
    return this.differences;
  }

  private async compare(when: string, differencesOf = differencesSoFar): Promise<void> {
    for (const [id, difference] of await this.lasting((facts) => differencesOf(this.world.service, facts))) {
      const plan = this.plans[this.requests.findIndex((request) => request.id === id)]!;
      if (!this.differences.has(plan)) this.differences.set(plan, `${when}: ${difference}`);
    }
  }

  private async passTo(step: Step): Promise<void> {
    if (step < 3) return;
    const deadline = Math.max(...this.requests.map(({ expiresAt }) => expiresAt));
    const grace = step === 3 ? 0 : this.requests[0]!.graceMs;
    await this.world.passTo(deadline + grace + PAST_MS);
    // The clock of the chain follows at once, later or not at all.
    await this.block([], this.random.whole(0, 12));
    await this.world.followed();
  }

  /** New payments, replacements, and what the node has forgotten. */
  private async send(step: Step): Promise<void> {
    const at = (await this.world.now()).getTime();
    const fresh = this.plans.flatMap(({ payments }, i) =>
      payments.flatMap((planned) => (planned.sentAt === step ? this.begin(planned, i) : [])),
    );
    await this.announce(
      fresh.filter(({ planned }) => !planned.isUnseen),
      at,
    );
    if (step > 1) await this.replace(step, at);
    if (this.random.chance(0.4)) {
      this.acts.push(`restarted at ${step}`);
      await this.world.followed();
      // A node without its mempool cannot say what was replaced: the service knows before, in whichever of its turns.
      await this.compare(`replaced at ${step}`);
      await this.world.node.restart();
    }
    await this.sendAgain(step);
    const seenBy = await this.world.followed();
    for (const request of this.requests)
      if (at <= request.expiresAt && request.expiresAt < seenBy) this.undecided.add(request.id);
  }

  private begin(planned: PlannedPayment, i: number): Sent {
    const request = this.requests[i]!;
    const next = planned.paysNext ? this.requests[i + 1] : undefined;
    const outputs: Paying[] = planned.outputs.map((amount) => ({
      request: request.id,
      script: request.script,
      amount,
    }));
    if (next) outputs.push({ request: next.id, script: next.script, amount: next.amount });
    const sent = {
      planned,
      payment: this.world.payers.pay(outputs),
      minedAt: planned.minedAt,
      isReplaced: false,
    };
    this.sent.push(sent);
    return sent;
  }

  private async announce(sent: readonly Sent[], at: number): Promise<void> {
    await this.world.payers.broadcast(sent.map(({ payment }) => payment));
    this.made.push(...sent.map(({ payment }) => madeAt(payment, at)));
  }

  private async replace(step: Step, at: number): Promise<void> {
    // What is to be replaced was seen before, or nobody could know when.
    await this.world.followed();
    const mined = await this.mined();
    const due = this.sent.filter(
      ({ planned, payment, isReplaced }) =>
        planned.replaced?.sentAt === step && !planned.isUnseen && !isReplaced && !mined.has(payment.txid),
    );
    const { stranger } = this.world.payers;
    for (const sent of due) {
      const { by } = sent.planned.replaced!;
      sent.payment = this.world.payers.pay(replacing(sent.payment.outputs, by, stranger), sent.payment);
      sent.isReplaced = true;
      this.acts.push(`replaced at ${step}: ${by}`);
    }
    await this.announce(
      due.filter((sent) => !isInBlockAlone(sent)),
      at,
    );
  }

  private async sendAgain(step: Step): Promise<void> {
    const [held, mined] = [await this.held(), await this.mined()];
    const again = this.sent.filter(
      (sent) =>
        this.made.some(({ txid }) => txid === sent.payment.txid) &&
        !held.has(sent.payment.txid) &&
        !mined.has(sent.payment.txid) &&
        sent.planned.again !== 'never' &&
        sent.planned.again <= step,
    );
    this.acts.push(...again.map(() => `sent again at ${step}`));
    await this.world.payers.broadcast(again.map(({ payment }) => payment));
  }

  /** Mines what is due, in one block or several. */
  private async mine(step: Step): Promise<void> {
    const [held, mined] = [await this.held(), await this.mined()];
    const due = this.sent.filter((sent) => {
      if (sent.minedAt === 'never' || sent.minedAt > step || mined.has(sent.payment.txid)) return false;
      const isHidden = !this.made.some(({ txid }) => txid === sent.payment.txid);
      return held.has(sent.payment.txid) || (isHidden && sent.planned.sentAt <= step);
    });
    const blocks = Array.from({ length: this.random.whole(1, 3) }, () => [] as Sent[]);
    for (const sent of due) blocks[this.random.whole(0, blocks.length - 1)]!.push(sent);
    for (const block of blocks) await this.block(block.map(({ payment }) => payment));
    await this.world.followed();
  }

  /** Blocks after the newest one, or after another; the first has the payments. */
  private async block(take: readonly Payment[], blocks = 1, on?: { hash: string; height: number }) {
    if (blocks === 0) return undefined;
    const time = await this.world.now();
    const { miner } = this.world.node.bitcoin;
    const [first] = await miner.mine({ take, time, ...(on && { on }) });
    for (const payment of take)
      if (!this.made.some(({ txid }) => txid === payment.txid))
        this.made.push(madeAt(payment, Math.min(first!.stamp * 1_000, time.getTime())));
    if (blocks > 1) await miner.mine({ blocks: blocks - 1, take: 'nothing', time });
    return first!;
  }

  /** Each replaced payment is in one of the new blocks, or waits; of those that wait some are mined later than was planned. */
  private async reorganise(step: Step): Promise<void> {
    const { rpc, miner } = this.world.node.bitcoin;
    const { height } = await miner.tip();
    const depth = this.random.whole(1, DEEPEST);
    const replaced = (await this.world.blocksFrom(height - depth + 1)).flatMap(({ txids }) => txids);
    const kept = this.random.whole(0, 2) / 2;
    this.acts.push(`reorganised ${depth} deep at ${step}`);
    const blocks = Array.from({ length: depth + 1 }, () => [] as Payment[]);
    for (const sent of this.sent.filter(({ payment }) => replaced.includes(payment.txid))) {
      if (this.random.chance(kept)) blocks[this.random.whole(0, depth)]!.push(sent.payment);
      else if (this.random.chance(0.3)) sent.minedAt = step < 4 ? ((step + 1) as Step) : 'never';
    }
    let on = { height: height - depth, hash: await rpc.call<string>('getblockhash', height - depth) };
    for (const block of blocks) on = (await this.block(block, 1, on))!;
    await this.world.followed();
  }

  private async held(): Promise<ReadonlySet<string>> {
    return new Set(await this.world.node.bitcoin.rpc.call<string[]>('getrawmempool', false));
  }

  private async mined(): Promise<ReadonlySet<string>> {
    return new Set((await this.world.blocksFrom(this.lowest)).flatMap(({ txids }) => txids));
  }

  /** The differences that stay, once the service had time for all that it has to do. */
  private async lasting(differences: (facts: Facts) => Promise<Differences>): Promise<Differences> {
    const { miner } = this.world.node.bitcoin;
    const facts: Facts = {
      requests: this.requests.filter(({ id }) => !this.undecided.has(id)),
      made: this.made,
      blocks: await this.world.blocksFrom(this.lowest),
      clock: (await miner.medianTime((await miner.tip()).hash)) * 1_000,
    };
    let found: Differences = new Map();
    await waitUntil(async () => (found = await differences(facts)).size === 0, {
      timeoutMs: ENDS_WITHIN_MS,
      everyMs: 500,
    });
    return found;
  }
}

function isInBlockAlone({ planned }: Sent): boolean {
  return planned.replaced?.by === 'elsewhere in a block';
}
