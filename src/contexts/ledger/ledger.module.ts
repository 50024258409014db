import { Module, type OnModuleInit } from '@nestjs/common';
import { EventSubscribers } from '../../shared/platform/event-log/event-subscribers.js';
import { ListTransactions } from './application/list-transactions.js';
import { PostMovements } from './application/post-movements.js';
import { TransactionQueries } from './application/transaction-queries.js';
import { Journal } from './domain/journal.js';
import { TransactionsController } from './infrastructure/http/transactions.controller.js';
import { PostgresJournal } from './infrastructure/persistence/postgres-journal.js';
import { PostgresTransactionQueries } from './infrastructure/persistence/postgres-transaction-queries.js';
import { LedgerSubscriber } from './infrastructure/subscribers/ledger-subscriber.js';
import { ledgerInvariants } from './infrastructure/persistence/ledger-invariants.js';
import { transactionEventsInvariants } from './infrastructure/persistence/transaction-events-invariants.js';
import { Invariants } from '../../shared/platform/invariants/registered-invariants.js';

/** The books as readers see them. Identity's `AccountDirectory` must be provided globally. */
@Invariants([...ledgerInvariants, ...transactionEventsInvariants])
@Module({
  controllers: [TransactionsController],
  providers: [ListTransactions, { provide: TransactionQueries, useClass: PostgresTransactionQueries }],
})
export class LedgerModule {}

/** The bookkeeper: posts what has come to deposit addresses, and what of it has disappeared. */
@Module({
  imports: [LedgerModule],
  providers: [PostMovements, LedgerSubscriber, { provide: Journal, useClass: PostgresJournal }],
})
export class LedgerWorkerModule implements OnModuleInit {
  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly subscriber: LedgerSubscriber,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this.subscriber);
  }
}
