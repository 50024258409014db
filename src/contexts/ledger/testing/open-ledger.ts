import { setTimeout as pause } from 'node:timers/promises';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { MADE_UP_EVENTS, MADE_UP_SETTLEMENTS } from '#test/support/partial-worlds.js';
import type { DomainEvent } from '#shared/kernel/domain-event.js';
import { newId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { FollowSources } from '../application/follow-sources.js';
import { PostMovements } from '../application/post-movements.js';
import type { Movement } from '../domain/movement.js';
import { followedInvariants } from '../infrastructure/persistence/followed-invariants.js';
import { ledgerInvariants } from '../infrastructure/persistence/ledger-invariants.js';
import { PostgresJournal } from '../infrastructure/persistence/postgres-journal.js';
import { ListedTransactions } from '../infrastructure/persistence/listed-transactions.js';
import { periodsInvariants } from '../infrastructure/persistence/periods-invariants.js';
import { sourceEventsInvariants } from '../infrastructure/persistence/source-events-invariants.js';
import { toSourceEvent, type FollowedEvent } from '../infrastructure/subscribers/followed-events.js';
import { LEDGER_SUBSCRIBER } from '../infrastructure/subscribers/posted-events.js';
import { LedgerSubscriber } from '../infrastructure/subscribers/ledger-subscriber.js';
import { bookedEvent, USDC } from './movements.js';
import type { Owner } from './source-events.js';

const INVARIANTS = [
  ...ledgerInvariants,
  ...followedInvariants,
  ...sourceEventsInvariants,
  ...periodsInvariants,
];

/** The real database, telling how many statements went through it. */
export class CountedDatabase extends Database {
  statements = 0;

  override async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.statements += 1;
    return super.query<Row>(text, values);
  }
}

export interface TestLedger extends TestPlatform {
  readonly counted: CountedDatabase;
  readonly journal: PostgresJournal;
  readonly queries: ListedTransactions;
  readonly postMovements: PostMovements;
  readonly followSources: FollowSources;
  readonly subscriber: LedgerSubscriber;
  /** Publishes these movements as happened now. */
  happen(movements: readonly Movement[]): Promise<void>;
  /** Publishes these events as happened now. */
  publish(events: readonly DomainEvent[]): Promise<void>;
  /** Posts them in a unit of work of its own. */
  post(movements: readonly Movement[]): Promise<void>;
  /** Follows them in a unit of work of its own. */
  follow(events: readonly FollowedEvent[]): Promise<void>;
  /** Another process's copy of the subscriber's loop. */
  runner(): SubscriberRunner;
  /** Lets these read to the end of the log. Other tests' open transactions on the same server delay reading. */
  untilRead(...runners: SubscriberRunner[]): Promise<void>;
  /** Names of the invariants that do not hold, with their rows. */
  breaches(): Promise<Record<string, object[]>>;
  /** The account's balances in smallest units, by ledger account; those of zero are absent. */
  balances(owner: Pick<Owner, 'accountId'>, uniqueAssetId?: string): Promise<Record<string, number>>;
}

/** A migrated database of its own with the ledger on it. */
export async function openLedger(): Promise<TestLedger> {
  const platform = await openTestDatabase();
  platform.makesUp([...MADE_UP_EVENTS, ...MADE_UP_SETTLEMENTS]);
  const counted = new CountedDatabase(platform.dataSource);
  const journal = new PostgresJournal(counted);
  const postMovements = new PostMovements(journal);
  const followSources = new FollowSources(journal);
  const subscriber = new LedgerSubscriber(postMovements, followSources);
  return {
    ...platform,
    counted,
    journal,
    queries: new ListedTransactions(counted),
    postMovements,
    followSources,
    subscriber,
    async happen(movements) {
      const now = await platform.clock.now();
      await platform.database.run(() =>
        platform.eventLog.append(movements.map((movement) => bookedEvent(movement, now))),
      );
    },
    async publish(events) {
      const occurredAt = await platform.clock.now();
      await platform.database.run(() =>
        platform.eventLog.append(events.map((event) => ({ ...event, occurredAt }))),
      );
    },
    post: (movements) => counted.run(() => postMovements.execute(movements)),
    follow: (events) =>
      counted.run(() =>
        followSources.execute(
          events.flatMap((event) => toSourceEvent({ ...event, id: newId<string>() }) ?? []),
        ),
      ),
    runner: () => new SubscriberRunner(platform.database, subscriber),
    async untilRead(...runners) {
      const deadline = Date.now() + 60_000;
      for (const runner of runners) await runner.register();
      const behind = () =>
        platform.database.query(
          `SELECT 1 FROM platform.events e JOIN platform.subscriber_positions p
           ON p.subscriber = $1 AND (e.transaction_id, e.position) > (p.transaction_id, p.position) LIMIT 1`,
          [LEDGER_SUBSCRIBER],
        );
      while ((await behind()).length > 0) {
        if (Date.now() > deadline) throw new Error('The ledger does not get to the end of the log.');
        await Promise.all(runners.map((runner) => runner.turn()));
        await pause(5);
      }
    },
    async balances({ accountId }, uniqueAssetId = USDC) {
      const rows = await platform.database.query<{ ledgerAccount: string; amount: bigint }>(
        'SELECT ledger_account, amount FROM ledger.balances WHERE account_id = $1 AND unique_asset_id = $2 AND amount <> 0',
        [accountId, uniqueAssetId],
      );
      return Object.fromEntries(rows.map(({ ledgerAccount, amount }) => [ledgerAccount, Number(amount)]));
    },
    async breaches() {
      const found: Record<string, object[]> = {};
      for (const { name, breaches } of INVARIANTS) {
        const rows = await platform.database.query<object>(breaches);
        if (rows.length > 0) found[name] = rows;
      }
      return found;
    },
  };
}

/** The ledger's subscriber as the worker has it. */
export function bookkeeper(database: Database): LedgerSubscriber {
  const journal = new PostgresJournal(database);
  return new LedgerSubscriber(new PostMovements(journal), new FollowSources(journal));
}
