import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { Bookkeepers } from './chain-bookkeepers.js';
import { Expectation } from './chain-expectation.js';
import { Faults } from './chain-faults.js';
import { judge } from './chain-judge.js';
import { Payers, type Sent } from './chain-payers.js';
import { readingOf } from './chain-reading.js';
import { Timeline, type MinedBlock } from './chain-timeline.js';
import type { Watchers } from './chain-watchers.js';
import type { ChainWorld, Issued } from './chain-world.js';

const DEEPEST = 60;
const DAY = 86_400;
const MISLED = 'requests expired though paid in time, as the endpoint read first left the payment out';

/** One random history: what payers, the chain, its nodes and the service's processes do, and what must come of it. */
export class ChainRun {
  readonly story: string[] = [];
  private readonly payers: Payers;
  private readonly requests: Issued[] = [];
  private readonly expectation: Expectation;
  private readonly bookkeepers: Bookkeepers;
  private readonly faults: Faults;
  /** Thrown out by a reorganisation and not mined again. */
  private readonly dropped: Sent[] = [];

  private constructor(
    private readonly world: ChainWorld,
    private readonly random: SeededRandom,
    private readonly watchers: Watchers,
    private readonly timeline: Timeline,
  ) {
    this.payers = new Payers(world, random);
    this.expectation = new Expectation(this.payers.sent);
    this.bookkeepers = new Bookkeepers(world);
    this.faults = new Faults(world, random);
  }

  static async begin(world: ChainWorld, random: SeededRandom, watchers: Watchers): Promise<ChainRun> {
    const timeline = await Timeline.begin(world);
    return new ChainRun(world, random, watchers, timeline);
  }

  async play(): Promise<void> {
    const { random } = this;
    await this.world.clockTo(this.timeline.tip.time + 1);
    // A day has passed since the run before.
    await this.world.service.api.authenticate();
    // The network has to be read before it takes requests.
    await this.watchers.watch(this, 'to the end');
    for (let more = random.whole(3, 6); more > 0; more -= 1) await this.issue();
    await this.fill(random.whole(0, 30));
    for (let more = random.whole(8, 16); more > 0; more -= 1) await this.step();
    await this.atTheDeadline();
    for (let more = random.whole(1, 5); more > 0; more -= 1) await this.step();
    if (random.chance(0.5)) {
      await this.timeline.mine(Math.max(...this.requests.map(({ countsUntil }) => countsUntil)) + 30);
      for (let more = random.whole(1, 5); more > 0; more -= 1) await this.step();
    }
    await this.end();
  }

  note(what: string): void {
    this.story.push(what);
  }

  /** Outcomes that were decided until now are decided for good; call this before blocks disappear. */
  async look(): Promise<void> {
    const reading = await readingOf(this.world);
    const { ground, blocks } = this.timeline;
    this.expectation.look(this.requests, [ground, ...blocks], reading);
  }

  get headNumber(): number {
    return this.timeline.tip.number;
  }

  private async step(): Promise<void> {
    const { random } = this;
    const draw = random.whole(1, 100);
    if (draw <= 32) await this.pay(this.timeline.tip.time + random.whole(1, 15), random.whole(1, 4));
    else if (draw <= 40) await this.fill(random.whole(1, 25));
    else if (draw <= 60) await this.watchers.watch(this, random.chance(0.5) ? 'to the end' : 'a little');
    else if (draw <= 68) await this.watchers.die(this);
    else if (draw <= 72) await this.watchers.twoAtOnce(this);
    else if (draw <= 80) await this.misbehave();
    else if (draw <= 84) this.behave();
    else if (draw <= 95) await this.reorganise();
    else if (draw <= 98) await this.keepBooks();
    else await this.issue();
  }

  private async issue(): Promise<void> {
    const { coins } = this.world;
    const coin = coins[Math.min(this.random.whole(0, coins.length), coins.length - 1)]!;
    const units = 10n ** BigInt(coin.decimals - 2);
    const request = await this.world.issue(coin, units * BigInt(this.random.whole(100, 9_999)));
    this.requests.push(request);
    this.note(
      `asks for ${request.amount} ${coin.symbol} at ${request.address}, until ${request.countsUntil}`,
    );
  }

  private async pay(at: number, transactions: number): Promise<void> {
    for (let left = transactions; left > 0; left -= 1) {
      const request = this.any(this.requests);
      await this.payers.pay(request, this.missing(request), this.requests);
    }
    if (this.random.chance(0.2)) await this.payers.tryAgain(this.dropped.splice(0));
    await this.mine(at);
  }

  private async mine(at: number): Promise<void> {
    // The clock first: no block comes from the future.
    await this.world.clockTo(Math.max(Math.floor(at), this.timeline.tip.time + 1));
    const { number, time, transactions } = await this.timeline.mine(at);
    this.note(`block ${number} at ${time} with ${transactions.length} transactions`);
  }

  private async fill(blocks: number): Promise<void> {
    await this.timeline.mineEmpty(blocks, this.random.whole(1, 3));
    await this.world.clockTo(this.timeline.tip.time);
    this.note(`${blocks} empty blocks, to ${this.headNumber} at ${this.timeline.tip.time}`);
  }

  /** Some are paid in the last block that counts, some in the first that does not. */
  private async atTheDeadline(): Promise<void> {
    const some = this.random.shuffled(this.requests).slice(0, 3);
    for (const request of some.sort((a, b) => a.countsUntil - b.countsUntil)) {
      const at = Math.floor(request.countsUntil) + this.random.whole(-1, 1);
      if (this.timeline.tip.time >= at) continue;
      const missing = this.missing(request);
      await this.payers.payExactly(request, missing > 0n ? missing : 1n);
      await this.mine(at);
      if (this.random.chance(0.5)) await this.step();
    }
  }

  private async reorganise(): Promise<void> {
    const { random, timeline } = this;
    const most = Math.min(DEEPEST, timeline.blocks.length);
    if (most === 0) return;
    const depth = random.whole(1, random.chance(0.5) ? most : Math.min(most, 10));
    await this.watchers.stand(this);
    await this.look();
    const { finalNumber } = await readingOf(this.world);
    this.world.tally.count('reorganisations');
    this.world.tally.count('deepest', Math.max(0, depth - this.world.tally.of('deepest')));
    if (finalNumber > this.headNumber - depth) this.world.tally.count('reorganisations beyond finality');
    const gone = await timeline.takeBack(depth);
    this.note(`${depth} blocks taken back, to ${this.headNumber}; final was ${finalNumber}`);
    if (random.chance(0.15)) await this.watchers.watch(this, 'a little');
    await this.mineOthers(gone);
  }

  /** Other blocks instead, shorter or longer, of later or earlier times, with some of the transactions. */
  private async mineOthers(gone: readonly MinedBlock[]): Promise<void> {
    const { random } = this;
    const out = gone.flatMap(({ transactions }) =>
      transactions.flatMap((hash) => this.payers.sent.get(hash) ?? []),
    );
    const { kept: again, dropped } = this.payers.keepSome(out);
    this.dropped.push(...dropped);
    const blocks = Math.max(1, gone.length + random.whole(-2, 3));
    const pace = random.chance(0.5)
      ? (gone.at(-1)!.time - this.timeline.tip.time) / gone.length
      : random.whole(1, 9);
    for (let at = 0; at < blocks;) {
      const isLast = at >= blocks - 1;
      const some = isLast ? again.splice(0) : again.splice(0, random.whole(0, 3));
      await this.payers.sendAgain(some);
      await this.mine(this.timeline.tip.time + Math.max(1, Math.round(pace)) + (at === 0 ? 1 : 0));
      at += 1;
      const empty = Math.min(again.length === 0 ? blocks - at : random.whole(0, 10), blocks - at);
      if (empty > 0) await this.fill(empty);
      at += empty;
    }
    this.note(`${blocks} other blocks, with ${out.length - dropped.length} of ${out.length} transactions`);
  }

  private async misbehave(): Promise<void> {
    const { endpoints, bears } = this.watchers;
    // Of a native coin there are no logs to be invented.
    const tokens = this.requests.filter(({ coin }) => coin !== this.world.native);
    const request = this.any(tokens.length > 0 ? tokens : this.requests);
    this.note(this.faults.misbehave(endpoints, bears, { request, blockNumber: this.headNumber }));
    this.expectation.isLiedTo = this.faults.wereLies;
    if (!this.faults.areLies) return;
    await this.pay(this.timeline.tip.time + 1, 3);
    await this.watchers.watch(this, 'to the end');
  }

  behave(): void {
    this.faults.behave();
    this.note('endpoints behave');
  }

  private async keepBooks(): Promise<void> {
    await this.bookkeepers.turn(this.random.chance(0.3) ? this.random.whole(0, 12) : null);
    this.note('the books are kept');
  }

  /** Good answers, every window closed, everything final, and a day later all balances compared. */
  private async end(): Promise<void> {
    this.behave();
    await this.mine(Math.max(...this.requests.map(({ countsUntil }) => countsUntil)) + 61);
    await this.fill(13);
    await this.watchers.settle(this);
    if (this.random.chance(0.35)) {
      await this.reorganise();
      await this.mine(Math.max(...this.requests.map(({ countsUntil }) => countsUntil)) + 61);
      await this.fill(13);
      await this.watchers.settle(this);
    }
    await this.look();
    await this.mine(this.timeline.tip.time + DAY + 60);
    await this.watchers.settle(this);
    await this.untilBalancesAreKnown();
    await this.mine(this.timeline.tip.time + DAY + 60);
    await this.fill(13);
    await this.watchers.settle(this);
    await this.look();
    await this.bookkeepers.untilRead();
    const { world, requests, timeline, expectation } = this;
    world.tally.count('blocks', timeline.blocks.length);
    for (const request of requests) world.tally.count(`outcomes: ${expectation.of(request).status}`);
    world.tally.count(MISLED, expectation.misled.size);
    await judge({ world, requests, blocks: timeline.blocks, expectation });
  }

  /** A node may be too slow for one question even when all is well: then it is asked with the next block. */
  private async untilBalancesAreKnown(): Promise<void> {
    for (let more = 0; more < 5 && !(await readingOf(this.world)).areBalancesKnown; more += 1) {
      await this.fill(1);
      await this.watchers.settle(this);
    }
  }

  private missing(request: Issued): bigint {
    const standing = this.expectation.standing(this.timeline.blocks);
    const paid = standing
      .filter(({ to, coin }) => to === request.address && coin === request.coin)
      .reduce((sum, { amount }) => sum + amount, 0n);
    return request.amount - paid;
  }

  private any<T>(of: readonly T[]): T {
    return of[this.random.whole(0, of.length - 1)]!;
  }
}
