import { Global, Module } from '@nestjs/common';
import { OrderedTransfers } from '#contexts/networks/contract/ordered-transfers.js';
import { PostgresOrderedTransfers } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-ordered-transfers.js';

/** Networks asks this of settlement, which it may not import. */
@Global()
@Module({
  providers: [{ provide: OrderedTransfers, useClass: PostgresOrderedTransfers }],
  exports: [OrderedTransfers],
})
export class OrderedTransfersModule {}
