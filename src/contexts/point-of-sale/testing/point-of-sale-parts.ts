import { openTestDatabase, type TestPlatform } from '../../../../test/support/open-database.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { CreatePointOfSale, type NewPointOfSale } from '../application/create-point-of-sale.js';
import { ListPointsOfSale } from '../application/list-points-of-sale.js';
import { SetSettlementTerms, type NewSettlementTerms } from '../application/set-settlement-terms.js';
import type { PointOfSale } from '../domain/point-of-sale.js';
import type { SettlementTermsRecord } from '../domain/settlement-terms.js';
import { PostgresPointsOfSale } from '../infrastructure/persistence/postgres-points-of-sale.js';
import { PostgresPointsOfSaleRecords } from '../infrastructure/persistence/postgres-points-of-sale-records.js';
import { PostgresSettlementTermsRecords } from '../infrastructure/persistence/postgres-settlement-terms-records.js';
import { EvmPayoutAddresses } from '../../networks/infrastructure/evm/forwarders/evm-address.js';
import { ASSET, FixedCatalogue } from './fixed-catalogue.js';
import { AccountsOfTenants, type Tenant } from './tenants.js';

export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
export const OTHER_ADDRESS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

/** The context's use cases on a database of their own. */
export class PointOfSaleParts {
  private readonly catalogue = new FixedCatalogue();
  private readonly records = new PostgresPointsOfSaleRecords(this.platform.database);
  readonly terms = new PostgresSettlementTermsRecords(this.platform.database);
  private readonly accounts = new AccountsOfTenants(this.platform.database);
  readonly pointsOfSale = new PostgresPointsOfSale(this.platform.database, this.catalogue);
  readonly list = new ListPointsOfSale(this.records, this.accounts);

  private constructor(readonly platform: TestPlatform) {}

  static async open(): Promise<PointOfSaleParts> {
    return new PointOfSaleParts(await openTestDatabase());
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  /** On the tenant's first account unless told. */
  create(tenant: Tenant, input: Partial<NewPointOfSale> = {}): Promise<PointOfSale> {
    const { database, clock } = this.platform;
    return new CreatePointOfSale(database, clock, this.accounts, this.catalogue, this.records).execute({
      scope: wholeOf(tenant),
      accountId: tenant.accountIds[0],
      name: 'Web shop',
      type: 'online',
      merchant: { name: 'Example Shop' },
      paymentOptions: [ASSET],
      ...input,
    });
  }

  setTerms(tenant: Tenant, input: Partial<NewSettlementTerms> = {}): Promise<SettlementTermsRecord> {
    const { database, clock } = this.platform;
    return new SetSettlementTerms(
      database,
      clock,
      this.accounts,
      this.catalogue,
      new EvmPayoutAddresses(),
      this.terms,
    ).execute({
      organizationId: tenant.organizationId,
      network: 'polygon',
      settlementAddress: ADDRESS,
      actor: 'test',
      ...input,
    });
  }
}

export function wholeOf({ organizationId }: Tenant): Scope {
  return { organizationId, accountId: null };
}
