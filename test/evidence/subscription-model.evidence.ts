import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { daysAfter } from '#contexts/subscriptions/domain/billing-interval.js';
import type { SubscriptionState } from '#contexts/subscriptions/domain/subscription-state.js';
import {
  openSubscriptions,
  type OpenSubscriptions,
} from '#contexts/subscriptions/testing/open-subscriptions.js';
import { isTransientDatabaseError } from '#shared/platform/database/transient-error.js';
import { SubscriptionModel, type ModelTerms } from './subscriptions/subscription-model.js';

/** The long form is `npm run evidence -- subscription-model`. */
const LONG = process.env['EVIDENCE'] === 'long';
const RUNS = Number(process.env['RUNS'] ?? (LONG ? 200 : 1));
const STEPS = LONG ? 60 : 30;
const SEED = Number(process.env['SEED'] ?? (LONG ? 1 : Math.ceil(Math.random() * 1_000_000)));
/** Also the network's grace after the window, and some blocks. */
const WINDOW_MS = 480_000;
const OVER_MS = WINDOW_MS + 180_000;
const DAY = 86_400;
const PATIENT_MS = 600_000;

interface Followed {
  readonly state: SubscriptionState;
  readonly model: SubscriptionModel;
}

/** One random history of some subscriptions, each step compared with the model. */
class History {
  private readonly followed: Followed[] = [];
  private kills = 0;

  constructor(
    private readonly world: OpenSubscriptions,
    private readonly random: SeededRandom,
  ) {}

  async step(): Promise<string> {
    const act = this.oneOf([
      'offer',
      'accept',
      'accept',
      'pay',
      'pay',
      'ask',
      'revoke',
      'jump',
      'jump',
      'jump',
    ]);
    await this.act(act);
    return act;
  }

  private async act(act: string): Promise<void> {
    const one = this.followed.length === 0 ? undefined : this.oneOf(this.followed);
    if (act === 'offer' || one === undefined) return this.offer();
    if (act === 'jump') return this.jump();
    if (act === 'accept') return this.accept(one);
    if (act === 'pay') return this.pay(one);
    if (act === 'ask') return this.ask(one);
    if (this.random.chance(0.3)) return this.revoke(one);
  }

  private async offer(): Promise<void> {
    const now = await this.now();
    const trialUntil = this.random.chance(0.3) ? daysAfter(now, this.oneOf([2, 20])) : undefined;
    const endsAt = this.random.chance(0.4) ? daysAfter(now, this.oneOf([21, 40, 200])) : undefined;
    const interval = this.oneOf(['P1D', 'P1W', 'P1M', 'P1Y'] as const);
    const state = await this.world.offer({ interval, trialUntil, endsAt });
    const terms: ModelTerms = {
      ...{ interval, offeredUntil: state.offeredUntil },
      ...(trialUntil && { trialUntil }),
      ...(endsAt && { endsAt }),
    };
    this.followed.push({ state, model: new SubscriptionModel(terms, WINDOW_MS) });
  }

  private async accept({ state, model }: Followed): Promise<void> {
    const accepted = await this.world.accept(state).catch(() => undefined);
    await this.work();
    if (model.status === 'pending') model.accept(accepted?.acceptedAt ?? (await this.now()));
  }

  private async ask({ state, model }: Followed): Promise<void> {
    await this.world.list(state);
    await this.work();
    model.ask(await this.now());
  }

  private async pay(one: Followed): Promise<void> {
    if (!one.model.isPayable()) return;
    const { items } = await this.world.list(one.state);
    await this.world.pays(items[0]!.request!);
    one.model.pay(await this.now());
  }

  private async revoke({ state, model }: Followed): Promise<void> {
    await this.world.revoke.byPayer(state.code);
    await this.work();
    model.revoke();
  }

  /** Within a window never: then it would matter at which moment of it. */
  private async jump(): Promise<void> {
    const days = this.oneOf([0, 0, 0.4, 1, 1, 3, 5, 8, 35, 400]);
    await this.world.passes(days * DAY + OVER_MS / 1_000);
    const now = await this.now();
    for (const { model } of this.followed) model.settle(now);
  }

  /** A worker's turn, at times while the database cuts all its connections. */
  private async work(): Promise<void> {
    if (this.random.chance(0.3)) {
      await Promise.all([this.world.work().catch(() => undefined), this.kill()]);
      this.kills += 1;
    }
    await this.workOn();
  }

  /** A worker tries again like this: a cut connection may only be noticed when it is used. */
  private async workOn(): Promise<void> {
    for (;;) {
      try {
        return await this.world.work();
      } catch (error) {
        if (!isTransientDatabaseError(error)) throw error;
      }
    }
  }

  private async kill(): Promise<void> {
    const client = new pg.Client({ connectionString: this.world.platform.url });
    await client.connect();
    await client.query('SELECT pg_sleep($1)', [this.random.chance(0.5) ? 0.01 : 0.03]);
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await client.end();
  }

  private now(): Promise<Date> {
    return this.world.platform.clock.now();
  }

  /** Each subscription's status and charges: as they are stored, and as the model says. */
  async compared(): Promise<{ stored: string[]; expected: string[] }> {
    const stored: string[] = [];
    for (const { state } of this.followed) {
      const { status } = await this.world.read(state);
      const { items } = await this.world.subscriptionQueries.charges(state.id, { page: 1, pageSize: 500 });
      const charges = items.map(
        ({ number, dueAt, status: came }) => `${number} ${dueAt.toISOString()} ${came}`,
      );
      stored.push([status, ...charges.reverse()].join(', '));
    }
    return { stored, expected: this.followed.map(({ model }) => shown(model)) };
  }

  private oneOf<T>(items: readonly T[]): T {
    return items[this.random.whole(0, items.length - 1)]!;
  }

  get killed(): number {
    return this.kills;
  }
}

function shown({ status, charges }: SubscriptionModel): string {
  const of = charges.map(({ number, dueAt, paid, closed }) => {
    const came = paid ? 'paid' : closed ? 'unpaid' : 'open';
    return `${number} ${new Date(dueAt).toISOString()} ${came}`;
  });
  return [status, ...of].join(', ');
}

describe('Random histories of subscriptions', () => {
  const seeds = Array.from({ length: RUNS }, (_, n) => SEED + n);

  it.each(seeds)(
    'end as an independent model says, step by step: SEED=%i',
    async (seed) => {
      const world = await openSubscriptions();
      const history = new History(world, new SeededRandom(seed));
      const acts: string[] = [];

      for (let step = 0; step < STEPS; step += 1) {
        acts.push(await history.step());
        const { stored, expected } = await history.compared();
        expect([acts.join(' '), ...stored]).toEqual([acts.join(' '), ...expected]);
      }

      // Every invariant is checked here.
      await world.close();
      if (!LONG)
        process.stdout.write(`A history of ${STEPS} steps and ${history.killed} kills, SEED=${seed}.\n`);
    },
    PATIENT_MS,
  );
});
