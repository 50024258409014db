import { setTimeout as pause } from 'node:timers/promises';
import type { Invariant } from '#shared/kernel/invariant.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { figuresJournalInvariants } from '#app/between-contexts/figures-journal-invariants.js';
import { bookkeeper } from '#contexts/ledger/testing/open-ledger.js';
import { openCheckouts, type Checkouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import { DOLLAR } from '#contexts/payments/testing/requests/collecting-world.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';
import { Refund } from '#contexts/settlement/domain/refunds/refund.js';
import { FollowMoney } from '#contexts/settlement/application/settling/follow-money.js';
import { PostgresRefunds } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-refunds.js';
import { PostgresSettlements } from '#contexts/settlement/infrastructure/settling/persistence/postgres-settlements.js';
import { SettlementProjection } from '#contexts/settlement/infrastructure/settling/subscribers/settlement-projection.js';
import { figuresInvariants } from '../infrastructure/persistence/figures-invariants.js';
import { PostgresDailyFigures } from '../infrastructure/persistence/postgres-daily-figures.js';
import { RebuildFigures } from '../infrastructure/persistence/rebuild-figures.js';
import { FiguresSubscriber } from '../infrastructure/subscribers/figures-subscriber.js';

/** Nobody sends what is refunded here. */
const UNSENT = ['approved-refunds-have-their-payout', 'refunded-sums-were-received'];
const PAYER = `0x${'ab'.repeat(20)}`;
const DAY_SECONDS = 86_400;
const FLOAT = `0x${'cd'.repeat(20)}`;

/** Seconds to the next noon, UTC. */
const secondsToNoon = (now: Date): number => {
  const sinceNoon = (now.getTime() / 1000 + DAY_SECONDS / 2) % DAY_SECONDS;
  return Math.ceil(DAY_SECONDS - sinceNoon);
};

/** Payments on modelled chains with settlement, ledger and figures behind them, on a real database of its own. */
export class FiguresWorld {
  private constructor(
    readonly payments: Checkouts,
    private readonly runners: readonly SubscriberRunner[],
  ) {}

  static async open(): Promise<FiguresWorld> {
    const payments = await openCheckouts();
    payments.platform.makesUp(UNSENT);
    const { database, platform } = payments;
    // A trade lasts most of an hour, and figures are counted by UTC day: it begins and ends on one.
    await platform.advance(secondsToNoon(await platform.clock.now()));
    const settlements = new PostgresSettlements(database, new EventLog(database));
    const others = [
      new SettlementProjection(new FollowMoney(platform.clock, settlements)),
      bookkeeper(database),
    ].map((subscriber) => new SubscriberRunner(database, subscriber));
    const world = new FiguresWorld(payments, others);
    for (const runner of [...others, world.counter()]) await runner.register();
    return world;
  }

  /** Another process's copy of the subscriber's loop. */
  counter(database: Database = this.payments.database): SubscriberRunner {
    return new SubscriberRunner(database, new FiguresSubscriber(database));
  }

  /** Another process's copy of the command. */
  rebuild(database: Database = this.payments.database): RebuildFigures {
    return new RebuildFigures(this.payments.platform.dataSource, database);
  }

  /** One turn of settlement and of the ledger. */
  async book(): Promise<void> {
    for (const runner of this.runners) await runner.turn();
  }

  /** To the end of the event log. Other tests' open transactions on the server delay reading. */
  async untilRead(): Promise<void> {
    const runners = [...this.runners, this.counter()];
    for (const deadline = Date.now() + 60_000; (await this.uncounted()) > 0;) {
      if (Date.now() > deadline) throw new Error('The figures do not get to the end of the event log.');
      for (const runner of runners) await runner.turn();
      await pause(2);
    }
  }

  /** So many minutes pass, each with a block; the first of them has these transfers. */
  async pass(minutes: number, ...sent: Parameters<Checkouts['chain']['mineAt']>[1][]): Promise<void> {
    const { platform, chain, follow } = this.payments;
    for (let minute = 0; minute < minutes; minute += 1) {
      await platform.advance(60);
      chain.mineAt(await platform.clock.now(), ...(minute === 0 ? sent : []));
    }
    await follow();
  }

  /** The merchant refunds so much of a request's dollars. */
  async refund(request: PaymentRequestView, amount: bigint): Promise<Refund> {
    const { platform, database } = this.payments;
    const { organizationId, accountId, id: paymentRequestId, pointOfSaleId } = request;
    const facts = { organizationId, accountId, paymentRequestId, pointOfSaleId };
    const { uniqueAssetId, network, token, symbol, decimals } = DOLLAR;
    const asset = { uniqueAssetId, network, token, symbol, decimals };
    const draft = { id: newId<string>(), ...facts, merchantName: 'Shop', asset, amount, to: PAYER };
    const refund = Refund.create({ ...draft, createdAt: await platform.clock.now() }, FLOAT);
    await database.run(async () => {
      const sum = { organizationId, accountId, paymentRequestId, uniqueAssetId, received: 10n ** 30n };
      await this.refunds.lockSum(sum);
      await this.refunds.add(refund, null);
    });
    return refund;
  }

  async change(refund: Refund, how: (locked: Refund, now: Date) => void): Promise<void> {
    const { platform, database } = this.payments;
    const { id, organizationId } = refund.snapshot;
    const now = await platform.clock.now();
    await database.run(async () => {
      const locked = await this.refunds.lock({ organizationId, accountId: null }, id);
      how(locked, now);
      await this.refunds.save(locked);
    });
  }

  /** The figures of an organization, as `figure part number amount`, of all days. */
  async figures(organizationId: OrganizationId): Promise<string[]> {
    const queries = new PostgresDailyFigures(this.payments.database);
    const { figures } = await queries.since({ organizationId, accountId: null }, '0001-01-01');
    return figures
      .map(({ figure, part, number, amount, asset }) =>
        [figure, asset?.currency ?? part, number, ...(asset === undefined ? [] : [amount])].join(' '),
      )
      .sort();
  }

  /** Names of the invariants of figures that do not hold, with their rows. */
  breaches(): Promise<Record<string, object[]>> {
    return this.broken([...figuresInvariants, ...figuresJournalInvariants]);
  }

  close(brokenOnPurpose: readonly string[] = []): Promise<void> {
    return this.payments.close(brokenOnPurpose);
  }

  private get refunds(): PostgresRefunds {
    return new PostgresRefunds(this.payments.database, new EventLog(this.payments.database));
  }

  private async broken(invariants: readonly Invariant[]): Promise<Record<string, object[]>> {
    const found: Record<string, object[]> = {};
    for (const { name, breaches } of invariants) {
      const rows = await this.payments.platform.database.query(breaches);
      if (rows.length > 0) found[name] = rows;
    }
    return found;
  }

  private async uncounted(): Promise<number> {
    const [row] = await this.payments.platform.database.query<{ behind: number }>(
      `SELECT count(*)::int AS behind FROM platform.subscriber_positions p WHERE EXISTS (SELECT FROM platform.events e
         WHERE (e.transaction_id, e.position) > (p.transaction_id, p.position))`,
    );
    return row!.behind;
  }
}
