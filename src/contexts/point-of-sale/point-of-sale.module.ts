import { Module } from '@nestjs/common';
import { IdentityModule } from '#contexts/identity/identity.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { ChangePointOfSale } from './application/change-point-of-sale.js';
import { CreatePointOfSale } from './application/create-point-of-sale.js';
import { ListPointsOfSale } from './application/list-points-of-sale.js';
import { ListSettlementAddresses, SettlementAddresses } from './application/list-settlement-addresses.js';
import { PointsOfSaleRecords } from './application/points-of-sale-records.js';
import { SetSettlementTerms } from './application/set-settlement-terms.js';
import { SettlementTermsRecords } from './domain/settlement-terms.js';
import { PointOfSaleDirectory } from './contract/point-of-sale-directory.js';
import { OrganizationTerms, PointsOfSale } from './contract/points-of-sale.js';
import { PointsOfSaleController } from './infrastructure/dashboard/points-of-sale.controller.js';
import { PointOfSaleController } from './infrastructure/http/point-of-sale.controller.js';
import { SettlementAddressController } from './infrastructure/http/settlement-address.controller.js';
import { PostgresPointsOfSale } from './infrastructure/persistence/postgres-points-of-sale.js';
import { PostgresPointsOfSaleRecords } from './infrastructure/persistence/postgres-points-of-sale-records.js';
import { PostgresSettlementAddresses } from './infrastructure/persistence/postgres-settlement-addresses.js';
import { PostgresSettlementTermsRecords } from './infrastructure/persistence/postgres-settlement-terms-records.js';
import {
  pointOfSaleInvariants,
  settlementTermsAuditInvariants,
} from './infrastructure/persistence/point-of-sale-invariants.js';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';

@Invariants([...pointOfSaleInvariants, ...settlementTermsAuditInvariants])
@Module({
  imports: [IdentityModule, NetworksModule],
  controllers: [PointOfSaleController, PointsOfSaleController, SettlementAddressController],
  providers: [
    { provide: PointsOfSale, useClass: PostgresPointsOfSale },
    { provide: PointsOfSaleRecords, useClass: PostgresPointsOfSaleRecords },
    { provide: PointOfSaleDirectory, useExisting: PointsOfSaleRecords },
    { provide: SettlementTermsRecords, useClass: PostgresSettlementTermsRecords },
    { provide: SettlementAddresses, useClass: PostgresSettlementAddresses },
    { provide: OrganizationTerms, useExisting: SettlementTermsRecords },
    CreatePointOfSale,
    ChangePointOfSale,
    ListPointsOfSale,
    ListSettlementAddresses,
    SetSettlementTerms,
  ],
  exports: [PointOfSaleDirectory, PointsOfSale, OrganizationTerms],
})
export class PointOfSaleModule {}
