import { Global, Module, type Provider } from '@nestjs/common';
import { AccountBusiness } from '#contexts/identity/contract/account-business.js';
import { OrderedAuthorizations } from '#contexts/networks/contract/authorized-transfers.js';
import { OrderedTransfers } from '#contexts/networks/contract/ordered-transfers.js';
import { CustodyRecords } from '#contexts/payments/contract/audit-results.js';
import { DeliveryRecords } from '#contexts/payments/contract/delivery-records.js';
import { LaterRecords } from '#contexts/payments/contract/later-records.js';
import { PostgresOrderedAuthorizations } from '#contexts/payments/infrastructure/authorizations/persistence/postgres-ordered-authorizations.js';
import { PostgresKnownDepositAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/wallet-addresses.js';
import { KnownDepositAddresses } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { PostgresOrderedTransfers } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-ordered-transfers.js';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';
import { PostgresAccountBusiness } from './account-business.js';
import { PostgresCustodyRecords } from './custody-records.js';
import { PostgresDeliveryRecords } from './delivery-records.js';
import { analyticsJournalInvariants } from './analytics-journal-invariants.js';
import { PostgresLaterRecords } from './later-records.js';

const QUERY_PROVIDERS: Provider[] = [
  { provide: AccountBusiness, useClass: PostgresAccountBusiness },
  { provide: CustodyRecords, useClass: PostgresCustodyRecords },
  { provide: DeliveryRecords, useClass: PostgresDeliveryRecords },
  { provide: KnownDepositAddresses, useClass: PostgresKnownDepositAddresses },
  { provide: LaterRecords, useClass: PostgresLaterRecords },
  { provide: OrderedTransfers, useClass: PostgresOrderedTransfers },
  { provide: OrderedAuthorizations, useClass: PostgresOrderedAuthorizations },
];

@Invariants(analyticsJournalInvariants)
@Global()
@Module({ providers: QUERY_PROVIDERS, exports: QUERY_PROVIDERS })
export class BetweenContextsModule {}
