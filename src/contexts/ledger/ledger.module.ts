import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { PostSourceEvents } from './application/post-source-events.js';
import { PostMovements } from './application/post-movements.js';
import { ClosePeriod } from './application/close-period.js';
import { RecordRates } from './application/record-rates.js';
import { SetBooksCurrency } from './application/set-books-currency.js';
import {
  CsvNegotiation,
  TRANSACTIONS_PATH,
  TransactionsCsvController,
} from './infrastructure/http/transactions-csv.controller.js';
import { TransactionsController } from './infrastructure/http/transactions.controller.js';
import { Journal } from './infrastructure/persistence/journal.js';
import { TransactionExport } from './infrastructure/persistence/transaction-export.js';
import { TransactionQueries } from './infrastructure/persistence/transaction-queries.js';
import { LedgerSubscriber } from './infrastructure/subscribers/ledger-subscriber.js';
import { sourceTransactionsInvariants } from './infrastructure/persistence/source-transactions-invariants.js';
import { ledgerInvariants } from './infrastructure/persistence/ledger-invariants.js';
import { sourceEventsInvariants } from './infrastructure/persistence/source-events-invariants.js';
import { transactionEventsInvariants } from './infrastructure/persistence/transaction-events-invariants.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { JournalCsvController } from './infrastructure/http/journal-csv.controller.js';
import { JournalFiles } from './infrastructure/http/journal-files.js';
import { StatementsController } from './infrastructure/http/statements.controller.js';
import { BooksCurrencyController } from './infrastructure/dashboard/books-currency.controller.js';
import { PeriodPagesController } from './infrastructure/dashboard/period-pages.controller.js';
import { StatementPagesController } from './infrastructure/dashboard/statement-pages.controller.js';
import { BooksCurrencies, RecordedRates } from './infrastructure/persistence/recorded-rates.js';
import { JournalExport } from './infrastructure/persistence/journal-export.js';
import { PeriodQueries } from './infrastructure/persistence/period-queries.js';
import { periodsInvariants } from './infrastructure/persistence/periods-invariants.js';
import { Periods } from './infrastructure/persistence/periods.js';
import { Statements } from './infrastructure/persistence/statements.js';
import { RateRecording } from './infrastructure/rate-recording.js';
import { RatesModule } from '#contexts/rates/rates.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { TransactionPagesController } from './infrastructure/dashboard/transaction-pages.controller.js';

/** Identity's `AccountDirectory` must be provided globally. */
@RegisterInvariants([
  ...ledgerInvariants,
  ...transactionEventsInvariants,
  ...sourceTransactionsInvariants,
  ...sourceEventsInvariants,
  ...periodsInvariants,
])
@Module({
  controllers: [TransactionsController, TransactionsCsvController],
  providers: [TransactionQueries, TransactionExport],
  exports: [TransactionQueries, TransactionExport],
})
export class LedgerModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(CsvNegotiation).forRoutes({ path: TRANSACTIONS_PATH, method: RequestMethod.GET });
  }
}

@Module({
  imports: [LedgerModule, NetworksModule],
  controllers: [StatementsController, JournalCsvController],
  providers: [Statements, JournalExport, JournalFiles],
  exports: [Statements, JournalExport, JournalFiles],
})
export class StatementsModule {}

@Module({
  imports: [LedgerModule, NetworksModule, RatesModule],
  providers: [
    RecordRates,
    RateRecording,
    RecordedRates,
    PostMovements,
    PostSourceEvents,
    LedgerSubscriber,
    Journal,
  ],
})
export class LedgerWorkerModule {
  constructor(subscribers: EventSubscribers, subscriber: LedgerSubscriber) {
    subscribers.add(subscriber);
  }
}

/** Identity's `AccountNames` must be provided globally. */
@Module({
  imports: [LedgerModule, StatementsModule, NetworksModule],
  controllers: [
    TransactionPagesController,
    PeriodPagesController,
    StatementPagesController,
    BooksCurrencyController,
  ],
  providers: [BooksCurrencies, ClosePeriod, SetBooksCurrency, PeriodQueries, Periods, RecordedRates],
})
export class LedgerPagesModule {}
