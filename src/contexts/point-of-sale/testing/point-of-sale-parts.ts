import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { newId, type CredentialId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { ChangePointOfSale, type ChangePointOfSaleInput } from '../application/change-point-of-sale.js';
import { CreatePointOfSale, type NewPointOfSale } from '../application/create-point-of-sale.js';
import { DeletePointOfSale } from '../application/delete-point-of-sale.js';
import { SetSettlementTerms, type NewSettlementTerms } from '../application/set-settlement-terms.js';
import type { PointOfSale } from '../domain/point-of-sale.js';
import type { SettlementTermsRecord } from '../domain/settlement-terms.js';
import { PostgresPointsOfSale } from '../infrastructure/persistence/postgres-points-of-sale.js';
import { PointsOfSaleRecords } from '../infrastructure/persistence/points-of-sale-records.js';
import { SettlementAddressQueries } from '../infrastructure/persistence/settlement-address-queries.js';
import { SettlementTermsRecords } from '../infrastructure/persistence/settlement-terms-records.js';
import { EvmPayoutAddressRules } from '#chains/evm/forwarders/evm-payout-address-rules.js';
import { ForwarderDerivations } from '#chains/evm/forwarders/forwarder-derivations.js';
import { type Chain, Chains } from '#contexts/networks/contract/chains.js';
import { OutputChain } from '#contexts/networks/testing/output-chain.js';
import {
  OUTPUT_COIN,
  OUTPUT_NETWORK,
  OutputChainType,
} from '#contexts/networks/testing/output-chain-type.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import {
  PointOfSaleDevices,
  type PointOfSaleReference,
} from '#contexts/identity/contract/point-of-sale-devices.js';
import { KnownDepositAddresses, PointOfSaleOpenItems } from '../contract/points-of-sale.js';
import { FixedApproval } from '#contexts/identity/testing/fixed-approval.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { ASSET, FixedCatalogue } from './fixed-catalogue.js';
import { AccountsOfTenants, type Tenant } from './tenants.js';

export const CELL = new DeploymentCell();
export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
export const OTHER_ADDRESS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';

export const DEPOSIT_ADDRESS = `0x${'0d'.repeat(20)}`;

class FixedDepositAddresses extends KnownDepositAddresses {
  isDepositAddress = (address: string) => Promise.resolve(address === DEPOSIT_ADDRESS);
}

class NothingOpen extends PointOfSaleOpenItems {
  countOpenItems = () => Promise.resolve({ requests: 0, links: 0, subscriptions: 0 });
}

/** Every point of sale has one paired device until it is revoked. */
class OneDevice extends PointOfSaleDevices {
  readonly revoked: PointOfSaleId[] = [];
  list = () =>
    Promise.resolve([
      { id: newId<CredentialId>(), name: 'Phone', pairedBy: 'test', pairedAt: new Date(), lastUsedAt: null },
    ]);
  createPairingCode = () => Promise.reject(new Error('not expected'));
  revoke = ({ id }: PointOfSaleReference) => Promise.resolve(void this.revoked.push(id));
}

/** Chains of the EVM networks and of the network that pays to outputs. */
class ChainsOfParts extends Chains {
  private readonly forwarders = new EvmPayoutAddressRules(
    'polygon',
    new ForwarderDerivations(settingsFor('http://127.0.0.1:9', { network: 'polygon' })),
  );

  constructor(private readonly outputs: Chain) {
    super();
  }

  find(network: string): Chain {
    const evm: Partial<Chain> = { payoutAddresses: this.forwarders };
    return network === OUTPUT_NETWORK ? this.outputs : (evm as Chain);
  }
}

export class PointOfSaleParts {
  private readonly catalogue = new FixedCatalogue();
  readonly records = new PointsOfSaleRecords(this.platform.database);
  readonly terms = new SettlementTermsRecords(this.platform.database);
  readonly accounts = new AccountsOfTenants(this.platform.database);
  readonly pointsOfSale = new PostgresPointsOfSale(this.platform.database, this.catalogue, CELL);
  readonly approval = new FixedApproval();
  readonly devices = new OneDevice();
  private readonly outputs = new OutputChainType(new OutputChain(OUTPUT_COIN.token, Date.now()));
  private readonly chains = new ChainsOfParts(this.outputs);
  readonly settlementAddresses = new SettlementAddressQueries(this.platform.database, this.chains);

  private constructor(readonly platform: TestPlatform) {}

  static async open(): Promise<PointOfSaleParts> {
    return new PointOfSaleParts(await openTestDatabase());
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  create(tenant: Tenant, input: Partial<NewPointOfSale> = {}): Promise<PointOfSale> {
    const { database, clock } = this.platform;
    const audited = new PostgresAuditLog(database);
    return new CreatePointOfSale(
      ...([
        database,
        clock,
        this.accounts,
        this.catalogue,
        this.records,
        audited,
        this.approval,
        CELL,
      ] as const),
    ).create({
      scope: organizationScopeOf(tenant),
      account: tenant.accountIds[0],
      actor: 'test',
      name: 'Web shop',
      type: 'online',
      merchant: { name: 'Example Shop' },
      paymentOptions: [ASSET],
      ...input,
    });
  }

  change(tenant: Tenant, id: PointOfSaleId, input: Partial<ChangePointOfSaleInput> = {}) {
    const { database, clock } = this.platform;
    const audited = new PostgresAuditLog(database);
    return new ChangePointOfSale(
      ...([
        database,
        clock,
        this.catalogue,
        this.records,
        this.pointsOfSale,
        audited,
        this.approval,
      ] as const),
    ).change({
      scope: organizationScopeOf(tenant),
      pointOfSaleId: id,
      actor: 'test',
      name: 'Web shop',
      merchant: { name: 'Example Shop' },
      paymentOptions: [ASSET],
      ...input,
    });
  }

  delete(tenant: Tenant, pointOfSaleId: PointOfSaleId): Promise<PointOfSaleId> {
    const { database, clock } = this.platform;
    const audited = new PostgresAuditLog(database);
    const { records, pointsOfSale, devices } = this;
    return new DeletePointOfSale(
      ...([database, clock, records, pointsOfSale, new NothingOpen(), devices, audited] as const),
    ).delete({ scope: organizationScopeOf(tenant), pointOfSaleId, actor: 'test' });
  }

  setTerms(tenant: Tenant, input: Partial<NewSettlementTerms> = {}): Promise<SettlementTermsRecord> {
    const { database, clock } = this.platform;
    return new SetSettlementTerms(
      database,
      clock,
      this.accounts,
      this.catalogue,
      this.chains,
      this.terms,
      new FixedDepositAddresses(),
      new PostgresAuditLog(database),
    ).set({
      organizationId: tenant.organizationId,
      network: 'polygon',
      settlementAddress: ADDRESS,
      actor: 'test',
      ...input,
    });
  }
}

export function organizationScopeOf({ organizationId }: Tenant): TenantScope {
  return { organizationId, accountId: null };
}
