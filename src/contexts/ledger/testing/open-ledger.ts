import { breachesOf } from '#test/support/broken-invariants.js';
import { openTestDatabase } from '#test/support/open-database.js';
import { MADE_UP_EVENTS, MADE_UP_SETTLEMENTS } from '#test/support/partial-worlds.js';
import type { DomainEvent } from '#shared/kernel/domain-event.js';
import { newId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import { CountedDatabase } from '#shared/platform/database/testing/counted-database.js';
import { readToEnd } from '#shared/platform/event-log/testing/log-settled.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { PostSourceEvents } from '../application/post-source-events.js';
import { PostMovements } from '../application/post-movements.js';
import type { Movement } from '../domain/movement.js';
import { sourceTransactionsInvariants } from '../infrastructure/persistence/source-transactions-invariants.js';
import { ledgerInvariants } from '../infrastructure/persistence/ledger-invariants.js';
import { Journal } from '../infrastructure/persistence/journal.js';
import { TransactionQueries } from '../infrastructure/persistence/transaction-queries.js';
import { periodsInvariants } from '../infrastructure/persistence/periods-invariants.js';
import { sourceEventsInvariants } from '../infrastructure/persistence/source-events-invariants.js';
import {
  toSourceEvent,
  type PublishedSourceEvent,
} from '../infrastructure/subscribers/source-event-types.js';
import { LedgerSubscriber } from '../infrastructure/subscribers/ledger-subscriber.js';
import { bookedEvent, USDC } from './movements.js';
import type { Owner } from './source-events.js';

const CHECKED_INVARIANTS = [
  ...ledgerInvariants,
  ...sourceTransactionsInvariants,
  ...sourceEventsInvariants,
  ...periodsInvariants,
];

export type TestLedger = Awaited<ReturnType<typeof openLedger>>;

export async function openLedger() {
  const platform = await openTestDatabase();
  platform.makesUp([...MADE_UP_EVENTS, ...MADE_UP_SETTLEMENTS]);
  const counted = new CountedDatabase(platform.dataSource);
  const journal = new Journal(counted);
  const postMovements = new PostMovements(journal);
  const postSourceEvents = new PostSourceEvents(journal);
  const subscriber = new LedgerSubscriber(postMovements, postSourceEvents);
  return {
    ...{ ...platform, counted, postMovements },
    queries: new TransactionQueries(counted),
    async happen(movements: readonly Movement[]): Promise<void> {
      const now = await platform.clock.now();
      await platform.database.run(() =>
        platform.eventLog.append(movements.map((movement) => bookedEvent(movement, now))),
      );
    },
    async publish(events: readonly DomainEvent[]): Promise<void> {
      const occurredAt = await platform.clock.now();
      await platform.database.run(() =>
        platform.eventLog.append(events.map((event) => ({ ...event, occurredAt }))),
      );
    },
    post: (movements: readonly Movement[]) => counted.run(() => postMovements.post(movements)),
    follow: (events: readonly PublishedSourceEvent[]) =>
      counted.run(() =>
        postSourceEvents.post(
          events.flatMap((event) => toSourceEvent({ ...event, id: newId<string>() }) ?? []),
        ),
      ),
    runner: () => new SubscriberRunner(platform.database, subscriber),
    async untilRead(...runners: SubscriberRunner[]): Promise<void> {
      for (const runner of runners) await runner.register();
      await readToEnd(platform.database, ...runners);
    },
    /** Returns the account's balances in smallest units, by ledger account. Omits balances of zero. */
    async balances({ accountId }: Pick<Owner, 'accountId'>) {
      const rows = await platform.database.query<{ ledgerAccount: string; amount: bigint }>(
        'SELECT ledger_account, amount FROM ledger.balances WHERE account_id = $1 AND unique_asset_id = $2 AND amount <> 0',
        [accountId, USDC],
      );
      return Object.fromEntries(rows.map(({ ledgerAccount, amount }) => [ledgerAccount, Number(amount)]));
    },
    breaches: () => breachesOf(platform.database, CHECKED_INVARIANTS),
  };
}

/** Returns the ledger's subscriber, wired as in the worker. */
export function ledgerSubscriberOn(database: Database): LedgerSubscriber {
  const journal = new Journal(database);
  return new LedgerSubscriber(new PostMovements(journal), new PostSourceEvents(journal));
}
