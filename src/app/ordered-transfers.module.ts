import { Global, Module } from '@nestjs/common';
import { OrderedTransfers } from '#contexts/networks/contract/ordered-transfers.js';
import { PostgresOrderedTransfers } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-ordered-transfers.js';

/** What networks asks of settlement, which it may not know. */
@Global()
@Module({
  providers: [{ provide: OrderedTransfers, useClass: PostgresOrderedTransfers }],
  exports: [OrderedTransfers],
})
export class OrderedTransfersModule {}
