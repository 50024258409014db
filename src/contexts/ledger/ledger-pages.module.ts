import { Module } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { TransactionPagesController } from './infrastructure/dashboard/transaction-pages.controller.js';
import { LedgerModule } from './ledger.module.js';

/** The books in the dashboard. Identity's `AccountNames` must be provided globally. */
@Module({ imports: [LedgerModule, NetworksModule], controllers: [TransactionPagesController] })
export class LedgerPagesModule {}
