import { Global, Module } from '@nestjs/common';
import { PostgresKnownDepositAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/postgres-known-deposit-addresses.js';
import { KnownDepositAddresses } from '#contexts/point-of-sale/contract/known-deposit-addresses.js';

/** Point-of-sale asks this of payments, which it may not import. */
@Global()
@Module({
  providers: [{ provide: KnownDepositAddresses, useClass: PostgresKnownDepositAddresses }],
  exports: [KnownDepositAddresses],
})
export class KnownDepositAddressesModule {}
