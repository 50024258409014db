import { ChangeCredential } from '#contexts/identity/application/credentials/change-credential.js';
import { CreateMerchantAccount } from '#contexts/identity/application/accounts/create-merchant-account.js';
import { CreateCredential } from '#contexts/identity/application/credentials/create-credential.js';
import { IssueCredential } from '#contexts/identity/application/credentials/issue-credential.js';
import { CreateOrganization } from '#contexts/identity/application/accounts/create-organization.js';
import { DeleteCredential } from '#contexts/identity/application/credentials/delete-credential.js';
import { SetCredentialEnabled } from '#contexts/identity/application/credentials/set-credential-enabled.js';
import { ApiKeyEnvironment } from '#contexts/identity/domain/credentials/credential.js';
import { MerchantAccounts } from '#contexts/identity/infrastructure/accounts/persistence/merchant-accounts.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { Credentials } from '#contexts/identity/infrastructure/credentials/persistence/credentials.js';
import { Organizations } from '#contexts/identity/infrastructure/accounts/persistence/organizations.js';
import type { SubmitAuthorizationBody } from '#contexts/payments/infrastructure/authorizations/http/authorization.dto.js';
import type { PublicCheckoutDto } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import type { AccountId, CredentialId, OrganizationId } from '#shared/kernel/ids.js';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { copyShop, copyTerms } from '../copied-shop.js';
import { HostileHttp, type Received } from './hostile-http.js';
import {
  furnishAccounts,
  type HostileAccounts,
  furnishDevices,
  type HostileDevices,
  furnishRefunds,
  type HostileRefunds,
  furnishTills,
  type HostileTills,
  furnishWebhooks,
  type HostileWebhooks,
} from './hostile-supplies.js';
import { agreeSubscriptions } from './hostile-subscriptions.js';
import type { Credential, OpenedLink, Tenant } from './hostile-tenants.js';
import { SigningPayer } from '../signing-payer.js';
import { startTestService, type ServiceOptions, type TestService } from '../service.js';

const ACTOR = 'test';
/** Nobody counts what strangers ask, and nobody outside is asked for a price. */
const UNLIMITED = {
  WEBHOOKS_PER_ACCOUNT: '10000',
  PUBLIC_REQUESTS_PER_MINUTE: '1000000000',
  PUBLIC_MISSES_PER_MINUTE: '1000000000',
  RATE_SOURCES: 'none',
};

export interface NewCredential {
  accountId?: string;
  roles?: readonly string[];
  allowedAddresses?: readonly string[];
}

/** A running service with two organizations, the first with two accounts; each collects on a point of sale. */
export class HostileWorld {
  readonly http: HostileHttp;
  home!: Tenant;
  /** Another account of the same organization; its credential is for that account only. */
  sibling!: Tenant;
  foreign!: Tenant;
  webhooks!: HostileWebhooks;
  accounts!: HostileAccounts;
  devices!: HostileDevices;
  tills!: HostileTills;
  refunds!: Readonly<Record<'home' | 'sibling' | 'foreign', HostileRefunds>>;

  private constructor(
    readonly service: TestService,
    private readonly database: Database,
    readonly stop: () => Promise<void>,
  ) {
    this.http = new HostileHttp(service.apiUrl);
  }

  static async start(options: ServiceOptions = {}): Promise<HostileWorld> {
    const settings = { ...UNLIMITED, ...options.settings };
    const service = await startTestService({ ...options, settings });
    const pool = { poolSize: 2, applicationName: 'test', onPoolError: () => undefined };
    const dataSource = await createDataSource({ databaseUrl: service.databaseUrl, ...pool }).initialize();
    const world: HostileWorld = new HostileWorld(service, new Database(dataSource), async () => {
      world.http.close();
      await world.webhooks?.stop();
      await dataSource.destroy();
      await service.stop();
    });
    try {
      await world.populate();
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  /** The credential is of the home organization and has `read` and `write`, unless others are passed. */
  async credential(
    input: NewCredential = {},
    organizationId = this.home.organizationId,
  ): Promise<Credential> {
    const issued = await new CreateCredential(this.database, this.issuing()).create({
      name: 'Till',
      actor: ACTOR,
      roles: input.roles ?? ['read', 'write'],
      organizationId: organizationId as OrganizationId,
      ...(input.accountId === undefined ? {} : { accountId: input.accountId as AccountId }),
      ...(input.allowedAddresses === undefined ? {} : { allowedAddresses: input.allowedAddresses }),
    });
    const { id, keyId } = issued.credential;
    return { id, organizationId, keyId, secret: issued.secret };
  }

  private issuing(): IssueCredential {
    return new IssueCredential(
      new DatabaseClock(this.database),
      new ApiKeyEnvironment('development'),
      new Organizations(this.database),
      new MerchantAccounts(this.database),
      new Credentials(this.database),
      new PostgresAuditLog(this.database),
      new DeploymentCell(),
    );
  }

  async disable(credential: Credential): Promise<void> {
    await new SetCredentialEnabled(...this.changing()).set({ ...owned(credential), enabled: false });
  }

  async enable(credential: Credential): Promise<void> {
    await new SetCredentialEnabled(...this.changing()).set({ ...owned(credential), enabled: true });
  }

  async change(
    credential: Credential,
    changes: { roles?: readonly string[]; allowedAddresses?: readonly string[] },
  ): Promise<void> {
    await new ChangeCredential(...this.changing()).change({ ...owned(credential), ...changes });
  }

  async delete(credential: Credential): Promise<void> {
    await new DeleteCredential(...this.changing()).delete(owned(credential));
  }

  exchange({ keyId, secret }: Pick<Credential, 'keyId' | 'secret'>, from?: string): Promise<Received> {
    return this.http.send({
      method: 'POST',
      target: '/v1/auth/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: keyId, api_secret: secret }),
      ...(from === undefined ? {} : { from }),
    });
  }

  async proofs(
    credential: Credential,
    from?: string,
  ): Promise<{ authorization: string; 'x-service-api-key': string }> {
    const { json } = await this.exchange(credential, from);
    const { token } = json!['data'] as { token: string };
    return { authorization: `Bearer ${token}`, 'x-service-api-key': credential.keyId };
  }

  private async populate(): Promise<void> {
    const { seed } = this.service;
    const organizationId = seed.organizationId;
    const credential = {
      id: seed.apiKey.slice(-36),
      organizationId,
      keyId: seed.apiKey,
      secret: seed.apiSecret,
    };
    this.home = await this.furnished({
      organizationId,
      accountId: seed.accountId,
      posId: seed.posId,
      credential,
    });

    this.webhooks = await furnishWebhooks(this.service);
    const { id: accountId } = await new CreateMerchantAccount(...this.founding()).create({
      organizationId: organizationId as OrganizationId,
      name: 'Sibling',
      actor: ACTOR,
    });
    this.sibling = await this.furnished({
      organizationId,
      accountId,
      posId: await copyShop(this.service, { organization_id: organizationId, account_id: accountId }),
      credential: await this.credential({ accountId }),
    });

    const foreign = await new CreateOrganization(...this.founding()).create({
      name: 'Foreign',
      actor: ACTOR,
    });
    await copyTerms(this.service, foreign.organization.id);
    this.foreign = await this.furnished({
      organizationId: foreign.organization.id,
      accountId: foreign.account.id,
      posId: await copyShop(this.service, {
        organization_id: foreign.organization.id,
        account_id: foreign.account.id,
      }),
      credential: await this.credential({}, foreign.organization.id),
    });
    this.accounts = await furnishAccounts(this.service, this.home, this.foreign);
    this.devices = await furnishDevices(this.service, this.database, this.issuing(), this.home);
    this.tills = await furnishTills(this.service, this.home.accountId, (target, body) =>
      this.posted(this.home, target, body),
    );
    const refunders = [this.home, this.sibling, this.foreign].map((tenant) => ({
      posId: tenant.posId,
      post: (target: string, body: object) => this.posted(tenant, target, body),
    }));
    const [home, sibling, foreignOnes] = await furnishRefunds(this.service, refunders);
    this.refunds = { home: home!, sibling: sibling!, foreign: foreignOnes! };
  }

  private async furnished(
    tenant: Pick<Tenant, 'organizationId' | 'accountId' | 'posId' | 'credential'>,
  ): Promise<Tenant> {
    const unique_asset_id = this.service.assets[0]!.unique_asset_id;
    const { id, token } = await this.created(tenant, 'payment-request', { amount: '1', unique_asset_id });
    const price = { amount: '1', coin_code: 'USD' };
    const checkout = await this.created(tenant, 'payment-request-checkout', price);
    const link = await this.created(tenant, 'payment-link', price);
    const idleLink = await this.created(tenant, 'payment-link', price);
    return {
      ...tenant,
      paymentRequestId: id,
      paymentToken: token,
      sessionId: checkout.session_id,
      authorization: await this.authorized(checkout.session_id, unique_asset_id),
      paymentLink: await this.opened(link),
      idleLinkId: idleLink.id,
      subscriptions: await agreeSubscriptions(tenant.posId, unique_asset_id, (target, body) =>
        this.posted(tenant, target, body),
      ),
    };
  }

  private async created(
    tenant: Pick<Tenant, 'posId' | 'credential'>,
    what: string,
    body: object,
  ): Promise<{ id: string; token: string; code: string; session_id: string }> {
    const data = await this.posted(tenant, `/v1/pos/${tenant.posId}/${what}`, body);
    return data as { id: string; token: string; code: string; session_id: string };
  }

  private async posted(tenant: Pick<Tenant, 'credential'>, target: string, body: object): Promise<unknown> {
    const { json, text } = await this.http.send({
      method: 'POST',
      target,
      headers: { 'content-type': 'application/json', ...(await this.proofs(tenant.credential)) },
      body: JSON.stringify(body),
    });
    if (json?.['status'] !== 'success') throw new Error(text);
    return json['data'];
  }

  private async authorized(sessionId: string, uniqueAssetId: string): Promise<SubmitAuthorizationBody> {
    const { wallet } = this.service;
    const payer = new SigningPayer();
    await wallet.mined(await wallet.send(tokenOf(uniqueAssetId), payer.address, 1_000_000n));
    const { json, text } = await this.http.send({
      method: 'POST',
      target: `/public/checkout/${sessionId}/select-asset`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ unique_asset_id: uniqueAssetId }),
    });
    if (json?.['status'] !== 'success') throw new Error(text);
    return payer.sign(json['data'] as PublicCheckoutDto);
  }

  private async opened({ id, code }: { id: string; code: string }): Promise<OpenedLink> {
    const target = `/public/payment-links/${code}/checkout`;
    const { headers, text } = await this.http.send({ method: 'POST', target, headers: {} });
    const [cookie] = headers['set-cookie'] ?? [];
    if (cookie === undefined) throw new Error(text);
    return { id, code, cookie: cookie.split(';')[0]! };
  }

  private founding() {
    const { database } = this;
    const records = [
      new Organizations(database),
      new MerchantAccounts(database),
      new PostgresAuditLog(database),
    ] as const;
    return [database, new DatabaseClock(database), ...records] as const;
  }

  private changing() {
    const { database } = this;
    return [
      database,
      new DatabaseClock(database),
      new Credentials(database),
      new PostgresAuditLog(database),
    ] as const;
  }
}

function owned({ id, organizationId }: Credential) {
  return { organizationId: organizationId as OrganizationId, credentialId: id as CredentialId, actor: ACTOR };
}
