import { Global, Module, type Provider } from '@nestjs/common';
import { MerchantAccountDeletionBlockers } from '#contexts/identity/contract/merchant-account-deletion-blockers.js';
import { AcceptedTransferAuthorizations } from '#contexts/networks/contract/authorized-transfers.js';
import { TransferOrders } from '#contexts/networks/contract/transfer-orders.js';
import { CustodyRecords } from '#contexts/payments/contract/chain-audit-results.js';
import { SettlementAndRefundRecords } from '#contexts/payments/contract/settlement-and-refund-records.js';
import { DownstreamRecords } from '#contexts/payments/contract/downstream-records.js';
import { PostgresAcceptedAuthorizations } from '#contexts/payments/infrastructure/authorizations/persistence/postgres-accepted-authorizations.js';
import { PostgresKnownDepositAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/merchant-wallet-addresses.js';
import {
  KnownDepositAddresses,
  PointOfSaleOpenItems,
} from '#contexts/point-of-sale/contract/points-of-sale.js';
import { PostgresTransferOrders } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-transfer-orders.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { PostgresAccountOpenItems } from './account-open-items.js';
import { PostgresPointOfSaleOpenItems } from './point-of-sale-open-items.js';
import { PostgresCustodyRecords } from './custody-records.js';
import { PostgresSettlementAndRefundRecords } from './settlement-and-refund-records.js';
import { analyticsJournalInvariants } from './analytics-journal-invariants.js';
import { PostgresDownstreamRecords } from './downstream-records.js';

const QUERY_PROVIDERS: Provider[] = [
  { provide: MerchantAccountDeletionBlockers, useClass: PostgresAccountOpenItems },
  { provide: PointOfSaleOpenItems, useClass: PostgresPointOfSaleOpenItems },
  { provide: CustodyRecords, useClass: PostgresCustodyRecords },
  { provide: SettlementAndRefundRecords, useClass: PostgresSettlementAndRefundRecords },
  { provide: KnownDepositAddresses, useClass: PostgresKnownDepositAddresses },
  { provide: DownstreamRecords, useClass: PostgresDownstreamRecords },
  { provide: TransferOrders, useClass: PostgresTransferOrders },
  { provide: AcceptedTransferAuthorizations, useClass: PostgresAcceptedAuthorizations },
];

@RegisterInvariants(analyticsJournalInvariants)
@Global()
@Module({ providers: QUERY_PROVIDERS, exports: QUERY_PROVIDERS })
export class BetweenContextsModule {}
