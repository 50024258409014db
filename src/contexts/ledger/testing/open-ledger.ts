import { openTestDatabase, type TestPlatform } from '../../../../test/support/open-database.js';
import { Database } from '../../../shared/platform/database/database.js';
import { SubscriberRunner } from '../../../shared/platform/event-log/subscriber-runner.js';
import { PostPaymentsIn } from '../application/post-payments-in.js';
import type { ConfirmedPayment } from '../domain/payment-in.js';
import { ledgerInvariants } from '../infrastructure/persistence/ledger-invariants.js';
import { PostgresJournal } from '../infrastructure/persistence/postgres-journal.js';
import { PostgresTransactionQueries } from '../infrastructure/persistence/postgres-transaction-queries.js';
import { LedgerSubscriber } from '../infrastructure/subscribers/ledger-subscriber.js';
import { confirmedEvent } from './confirmed-payment.js';

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
  readonly queries: PostgresTransactionQueries;
  readonly postPaymentsIn: PostPaymentsIn;
  readonly subscriber: LedgerSubscriber;
  /** Publishes the payments as confirmed now. */
  confirm(payments: readonly ConfirmedPayment[]): Promise<void>;
  /** Posts them in a unit of work of its own. */
  post(payments: readonly ConfirmedPayment[]): Promise<void>;
  /** Another process's copy of the subscriber's loop. */
  runner(): SubscriberRunner;
  /** Names of the invariants that do not hold, with their rows. */
  breaches(): Promise<Record<string, object[]>>;
}

/** A migrated database of its own with the ledger on it. */
export async function openLedger(): Promise<TestLedger> {
  const platform = await openTestDatabase();
  const counted = new CountedDatabase(platform.dataSource);
  const journal = new PostgresJournal(counted);
  const postPaymentsIn = new PostPaymentsIn(journal);
  const subscriber = new LedgerSubscriber(postPaymentsIn);
  return {
    ...platform,
    counted,
    journal,
    queries: new PostgresTransactionQueries(counted),
    postPaymentsIn,
    subscriber,
    async confirm(payments) {
      const now = await platform.clock.now();
      await platform.database.run(() =>
        platform.eventLog.append(payments.map((payment) => confirmedEvent(payment, now))),
      );
    },
    post: (payments) => counted.run(() => postPaymentsIn.execute(payments)),
    runner: () => new SubscriberRunner(platform.database, subscriber),
    async breaches() {
      const found: Record<string, object[]> = {};
      for (const { name, breaches } of ledgerInvariants) {
        const rows = await platform.database.query<object>(breaches);
        if (rows.length > 0) found[name] = rows;
      }
      return found;
    },
  };
}
