import {
  Module,
  RequestMethod,
  type MiddlewareConsumer,
  type NestModule,
  type OnModuleInit,
} from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { ExportTransactions, TransactionBatches } from './application/export-transactions.js';
import { FollowSources } from './application/follow-sources.js';
import { ListTransactions } from './application/list-transactions.js';
import { PostMovements } from './application/post-movements.js';
import { TransactionQueries } from './application/transaction-queries.js';
import { Journal } from './domain/journal.js';
import { CsvNegotiation, LIST_PATH } from './infrastructure/http/csv-negotiation.middleware.js';
import { OpenDownloads } from './infrastructure/http/open-downloads.js';
import { TransactionsCsvController } from './infrastructure/http/transactions-csv.controller.js';
import { TransactionsController } from './infrastructure/http/transactions.controller.js';
import { PostgresJournal } from './infrastructure/persistence/postgres-journal.js';
import { PostgresTransactionBatches } from './infrastructure/persistence/postgres-transaction-batches.js';
import { PostgresTransactionQueries } from './infrastructure/persistence/postgres-transaction-queries.js';
import { LedgerSubscriber } from './infrastructure/subscribers/ledger-subscriber.js';
import { followedInvariants } from './infrastructure/persistence/followed-invariants.js';
import { ledgerInvariants } from './infrastructure/persistence/ledger-invariants.js';
import { sourceEventsInvariants } from './infrastructure/persistence/source-events-invariants.js';
import { transactionEventsInvariants } from './infrastructure/persistence/transaction-events-invariants.js';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';

/** The books as readers see them. Identity's `AccountDirectory` must be provided globally. */
@Invariants([
  ...ledgerInvariants,
  ...transactionEventsInvariants,
  ...followedInvariants,
  ...sourceEventsInvariants,
])
@Module({
  controllers: [TransactionsController, TransactionsCsvController],
  providers: [
    ListTransactions,
    ExportTransactions,
    OpenDownloads,
    { provide: TransactionQueries, useClass: PostgresTransactionQueries },
    { provide: TransactionBatches, useClass: PostgresTransactionBatches },
  ],
  exports: [ListTransactions, ExportTransactions, OpenDownloads],
})
export class LedgerModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(CsvNegotiation).forRoutes({ path: LIST_PATH, method: RequestMethod.GET });
  }
}

/** The bookkeeper: posts what has come to deposit addresses and left them, and what floats take and pay. */
@Module({
  imports: [LedgerModule],
  providers: [
    PostMovements,
    FollowSources,
    LedgerSubscriber,
    { provide: Journal, useClass: PostgresJournal },
  ],
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
