import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { FollowSources } from './application/follow-sources.js';
import { PostMovements } from './application/post-movements.js';
import { ClosePeriod } from './application/close-period.js';
import { RecordRates } from './application/record-rates.js';
import { SetBooksCurrency } from './application/set-books-currency.js';
import {
  CsvNegotiation,
  LIST_PATH,
  TransactionsCsvController,
} from './infrastructure/http/transactions-csv.controller.js';
import { TransactionsController } from './infrastructure/http/transactions.controller.js';
import { Journal } from './infrastructure/persistence/journal.js';
import { ExportedTransactions } from './infrastructure/persistence/exported-transactions.js';
import { ListedTransactions } from './infrastructure/persistence/listed-transactions.js';
import { LedgerSubscriber } from './infrastructure/subscribers/ledger-subscriber.js';
import { followedInvariants } from './infrastructure/persistence/followed-invariants.js';
import { ledgerInvariants } from './infrastructure/persistence/ledger-invariants.js';
import { sourceEventsInvariants } from './infrastructure/persistence/source-events-invariants.js';
import { transactionEventsInvariants } from './infrastructure/persistence/transaction-events-invariants.js';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';
import { JournalCsvController } from './infrastructure/http/journal-csv.controller.js';
import { JournalFiles } from './infrastructure/http/journal-files.js';
import { StatementsController } from './infrastructure/http/statements.controller.js';
import { BooksCurrencyController } from './infrastructure/dashboard/books-currency.controller.js';
import { PeriodPagesController } from './infrastructure/dashboard/period-pages.controller.js';
import { StatementPagesController } from './infrastructure/dashboard/statement-pages.controller.js';
import { BookCurrencies, RecordedRates } from './infrastructure/persistence/recorded-rates.js';
import { ExportedJournal } from './infrastructure/persistence/exported-journal.js';
import { PeriodList } from './infrastructure/persistence/period-list.js';
import { periodsInvariants } from './infrastructure/persistence/periods-invariants.js';
import { Periods } from './infrastructure/persistence/periods.js';
import { Statements } from './infrastructure/persistence/statements.js';
import { RateRecording } from './infrastructure/rate-recording.js';
import { RatesModule } from '#contexts/rates/rates.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { TransactionPagesController } from './infrastructure/dashboard/transaction-pages.controller.js';

/** Identity's `AccountDirectory` must be provided globally. */
@Invariants([
  ...ledgerInvariants,
  ...transactionEventsInvariants,
  ...followedInvariants,
  ...sourceEventsInvariants,
  ...periodsInvariants,
])
@Module({
  controllers: [TransactionsController, TransactionsCsvController],
  providers: [ListedTransactions, ExportedTransactions],
  exports: [ListedTransactions, ExportedTransactions],
})
export class LedgerModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(CsvNegotiation).forRoutes({ path: LIST_PATH, method: RequestMethod.GET });
  }
}

@Module({
  imports: [LedgerModule, NetworksModule],
  controllers: [StatementsController, JournalCsvController],
  providers: [Statements, ExportedJournal, JournalFiles],
  exports: [Statements, ExportedJournal, JournalFiles],
})
export class StatementsModule {}

@Module({
  imports: [LedgerModule, NetworksModule, RatesModule],
  providers: [
    RecordRates,
    RateRecording,
    RecordedRates,
    PostMovements,
    FollowSources,
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
  providers: [BookCurrencies, ClosePeriod, SetBooksCurrency, PeriodList, Periods, RecordedRates],
})
export class LedgerPagesModule {}
