import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { FiguresWorld } from '#contexts/figures/testing/figures-world.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';
import { DOLLAR, EURO } from '#contexts/payments/testing/requests/collecting-world.js';
import { ObservedDatabase } from '#contexts/payments/testing/requests/observed-database.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';
import { paidOut } from '#contexts/payments/testing/watching/payout-events.js';
import type { Refund } from '#contexts/settlement/domain/refunds/refund.js';
import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { isTransientDatabaseError } from '#shared/platform/database/transient-error.js';

class Death extends Error {}

const FLOAT = `0x${'cd'.repeat(20)}`;
const ACTS = [
  ...['open', 'open', 'offer', 'pay', 'pay', 'pay', 'pass', 'pass', 'wait', 'takeBack', 'payOut', 'refund'],
  ...['refunded', 'count', 'count', 'count', 'die', 'die', 'rebuild', 'cut', 'nextDay'],
] as const;
export type Act = (typeof ACTS)[number];

/** A random history of payers, reorganisations, settlements and refunds, beside workers that count and die. */
export class FiguresHistory {
  readonly acts: Act[] = [];
  private readonly requests: PaymentRequestView[] = [];
  private readonly refunds: Refund[] = [];

  constructor(
    private readonly world: FiguresWorld,
    private readonly random: SeededRandom,
  ) {}

  async step(): Promise<void> {
    const act = this.oneOf(ACTS);
    this.acts.push(act);
    await this[act]();
    if (this.random.chance(0.5)) await this.world.book();
  }

  /** Everybody comes to the end of the log. */
  async end(): Promise<void> {
    await this.wait();
    await this.world.untilRead();
  }

  private async open(): Promise<void> {
    const { payments } = this.world;
    this.requests.push(await payments.request({}, payments.shop));
  }

  private async offer(): Promise<void> {
    const { payments } = this.world;
    const checkout = await payments.checkout();
    if (this.random.chance(0.6)) await payments.select(checkout, this.oneOf([DOLLAR, EURO]));
  }

  /** Any amount to any request, in time or late, at times in another asset. */
  private async pay(): Promise<void> {
    if (this.requests.length === 0) return;
    const { token } = this.random.chance(0.15) ? EURO : DOLLAR;
    const cents = this.oneOf([1_000, 1_000, 1_000, 400, 1_300]);
    await this.world.pass(this.random.whole(1, 3), pay(this.oneOf(this.requests), cents, token));
  }

  private pass(): Promise<void> {
    return this.world.pass(this.random.whole(1, 4));
  }

  /** Past the deadline of whatever is open. */
  private async wait(): Promise<void> {
    await this.world.pass(11);
    await this.world.payments.expireUnselected.execute();
  }

  /** Some minutes before midnight, so that what belongs together falls on two days. */
  private async nextDay(): Promise<void> {
    const { platform } = this.world.payments;
    const now = await platform.clock.now();
    const untilMidnight = 86_400 - (Math.floor(now.getTime() / 1000) % 86_400);
    if (untilMidnight > 300) await platform.advance(untilMidnight - 180);
    await this.world.pass(1);
  }

  /** At times beyond finality. */
  private async takeBack(): Promise<void> {
    const { chain } = this.world.payments;
    const depth = this.random.whole(1, this.random.chance(0.3) ? 8 : 2);
    if (chain.tip.number <= depth + 1) return;
    chain.takeBack(depth);
    await this.world.pass(depth + 1);
  }

  private async payOut(): Promise<void> {
    if (this.requests.length === 0) return;
    await this.world.pass(1, paidOut(this.oneOf(this.requests), DOLLAR.token, 10_000_000n));
  }

  private async refund(): Promise<void> {
    if (this.requests.length === 0) return;
    const refund = await this.world.refund(
      this.oneOf(this.requests),
      BigInt(this.random.whole(1, 5_000_000)),
    );
    this.refunds.push(refund);
  }

  private async refunded(): Promise<void> {
    const refund = this.refunds.pop();
    if (refund === undefined) return;
    const isPaid = this.random.chance(0.6);
    await this.world.change(refund, (locked, now) =>
      isPaid ? locked.approve('somebody', FLOAT, now) : locked.cancel(now, FLOAT, 'not any more'),
    );
    if (!isPaid) return;
    const hash = `0x${this.random.bits(256).toString(16).padStart(64, '0')}`;
    await this.world.change(refund, (locked, now) => locked.complete({ transactionHash: hash }, now));
  }

  private async count(): Promise<void> {
    await this.world.counter().turn();
  }

  /** A worker, or a rebuild, dies before one of its statements. */
  private async die(): Promise<void> {
    const dying = new ObservedDatabase(this.world.payments.platform.dataSource);
    const last = this.random.whole(1, 12);
    dying.beforeStatement = (number) => {
      if (number > last) throw new Death();
    };
    const dies = this.random.chance(0.3)
      ? this.world.rebuild(dying).execute()
      : this.world.counter(dying).turn();
    await dies.catch((error: unknown) => {
      if (!(error instanceof Death)) throw error;
    });
  }

  /** Beside a worker that counts. */
  private async rebuild(): Promise<void> {
    await Promise.all([this.world.rebuild().execute(), this.world.counter().turn()]);
  }

  /** The database cuts every connection while a worker counts or a rebuild runs. */
  private async cut(): Promise<void> {
    const { platform } = this.world.payments;
    const work = this.random.chance(0.5) ? this.world.counter().turn() : this.world.rebuild().execute();
    const client = new pg.Client({ connectionString: platform.url });
    await client.connect();
    await pause(this.random.whole(0, 15));
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await client.end();
    await work.catch(() => undefined);
    // A cut connection may only be noticed when it is used.
    for (let isCut = true; isCut;)
      isCut = await platform.clock.now().then(
        () => false,
        (error: unknown) => {
          if (!isTransientDatabaseError(error)) throw error;
          return true;
        },
      );
  }

  private oneOf<T>(items: readonly T[]): T {
    return items[this.random.whole(0, items.length - 1)]!;
  }
}
