import { Module } from '@nestjs/common';
import { IdentityModule } from '#contexts/identity/identity.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { RatesModule } from '#contexts/rates/rates.module.js';
import { ChangePointOfSale } from './application/change-point-of-sale.js';
import { CreatePointOfSale } from './application/create-point-of-sale.js';
import { DeletePointOfSale } from './application/delete-point-of-sale.js';
import { SetSettlementTerms } from './application/set-settlement-terms.js';
import {
  OrganizationSettlementTerms,
  PointOfSaleDirectory,
  PointsOfSale,
} from './contract/points-of-sale.js';
import { PointsOfSaleController } from './infrastructure/dashboard/points-of-sale.controller.js';
import { PointOfSaleController } from './infrastructure/http/point-of-sale.controller.js';
import { SettlementAddressController } from './infrastructure/http/settlement-address.controller.js';
import { PostgresPointsOfSale } from './infrastructure/persistence/postgres-points-of-sale.js';
import { PointsOfSaleRecords } from './infrastructure/persistence/points-of-sale-records.js';
import { SettlementTermsRecords } from './infrastructure/persistence/settlement-terms-records.js';
import { SettlementAddressQueries } from './infrastructure/persistence/settlement-address-queries.js';
import {
  pointOfSaleInvariants,
  settlementTermsAuditInvariants,
} from './infrastructure/persistence/point-of-sale-invariants.js';
import { PointOfSaleCodeBackfill } from './infrastructure/point-of-sale-code-backfill.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';

@RegisterInvariants([...pointOfSaleInvariants, ...settlementTermsAuditInvariants])
@Module({
  imports: [IdentityModule, NetworksModule, RatesModule],
  controllers: [PointOfSaleController, PointsOfSaleController, SettlementAddressController],
  providers: [
    { provide: PointsOfSale, useClass: PostgresPointsOfSale },
    PointsOfSaleRecords,
    { provide: PointOfSaleDirectory, useExisting: PointsOfSaleRecords },
    SettlementTermsRecords,
    SettlementAddressQueries,
    { provide: OrganizationSettlementTerms, useExisting: SettlementTermsRecords },
    CreatePointOfSale,
    ChangePointOfSale,
    DeletePointOfSale,
    SetSettlementTerms,
  ],
  exports: [PointOfSaleDirectory, PointsOfSale, OrganizationSettlementTerms],
})
export class PointOfSaleModule {}

@Module({ providers: [PointOfSaleCodeBackfill] })
export class PointOfSaleWorkerModule {}
