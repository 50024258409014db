import { Global, Module, type Provider } from '@nestjs/common';
import { AccountOpenItems } from '#contexts/identity/contract/account-open-items.js';
import { AcceptedAuthorizations } from '#contexts/networks/contract/authorized-transfers.js';
import { TransferOrders } from '#contexts/networks/contract/transfer-orders.js';
import { CustodyRecords } from '#contexts/payments/contract/audit-results.js';
import { SettlementAndRefundRecords } from '#contexts/payments/contract/settlement-and-refund-records.js';
import { DownstreamRecords } from '#contexts/payments/contract/downstream-records.js';
import { PostgresAcceptedAuthorizations } from '#contexts/payments/infrastructure/authorizations/persistence/postgres-accepted-authorizations.js';
import { PostgresKnownDepositAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/wallet-addresses.js';
import { KnownDepositAddresses } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { PostgresTransferOrders } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-transfer-orders.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { PostgresAccountOpenItems } from './account-open-items.js';
import { PostgresCustodyRecords } from './custody-records.js';
import { PostgresSettlementAndRefundRecords } from './settlement-and-refund-records.js';
import { analyticsJournalInvariants } from './analytics-journal-invariants.js';
import { PostgresDownstreamRecords } from './downstream-records.js';

const QUERY_PROVIDERS: Provider[] = [
  { provide: AccountOpenItems, useClass: PostgresAccountOpenItems },
  { provide: CustodyRecords, useClass: PostgresCustodyRecords },
  { provide: SettlementAndRefundRecords, useClass: PostgresSettlementAndRefundRecords },
  { provide: KnownDepositAddresses, useClass: PostgresKnownDepositAddresses },
  { provide: DownstreamRecords, useClass: PostgresDownstreamRecords },
  { provide: TransferOrders, useClass: PostgresTransferOrders },
  { provide: AcceptedAuthorizations, useClass: PostgresAcceptedAuthorizations },
];

@RegisterInvariants(analyticsJournalInvariants)
@Global()
@Module({ providers: QUERY_PROVIDERS, exports: QUERY_PROVIDERS })
export class BetweenContextsModule {}
