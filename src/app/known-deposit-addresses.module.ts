import { Global, Module } from '@nestjs/common';
import { PostgresKnownDepositAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/postgres-known-deposit-addresses.js';
import { KnownDepositAddresses } from '#contexts/point-of-sale/contract/points-of-sale.js';

/** What point-of-sale asks of payments, which it may not know. */
@Global()
@Module({
  providers: [{ provide: KnownDepositAddresses, useClass: PostgresKnownDepositAddresses }],
  exports: [KnownDepositAddresses],
})
export class KnownDepositAddressesModule {}
