import { CreateMerchantAccount } from '#contexts/identity/application/accounts/create-merchant-account.js';
import { CreateCredential } from '#contexts/identity/application/credentials/create-credential.js';
import { IssueCredential } from '#contexts/identity/application/credentials/issue-credential.js';
import { CreateOrganization } from '#contexts/identity/application/accounts/create-organization.js';
import { ApiKeyEnvironment } from '#contexts/identity/domain/credentials/credential.js';
import { MerchantAccounts } from '#contexts/identity/infrastructure/accounts/persistence/merchant-accounts.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { Credentials } from '#contexts/identity/infrastructure/credentials/persistence/credentials.js';
import { Organizations } from '#contexts/identity/infrastructure/accounts/persistence/organizations.js';
import { ledgerSubscriberOn } from '#contexts/ledger/testing/open-ledger.js';
import { EvmPayoutAddressRules } from '#chains/evm/forwarders/evm-payout-address-rules.js';
import { ForwarderDerivations } from '#chains/evm/forwarders/forwarder-derivations.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { openCheckouts, payAll } from '#contexts/payments/testing/checkout/open-checkouts.js';
import {
  DOLLAR,
  EURO,
  NETWORK,
  OTHER_NETWORK,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { PostgresKnownDepositAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/merchant-wallet-addresses.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';
import { SetSettlementTerms } from '#contexts/point-of-sale/application/set-settlement-terms.js';
import { SettlementTermsRecords } from '#contexts/point-of-sale/infrastructure/persistence/settlement-terms-records.js';
import { UpdateSettlements } from '#contexts/settlement/application/settling/update-settlements.js';
import { PostgresSettlements } from '#contexts/settlement/infrastructure/settling/persistence/postgres-settlements.js';
import { SettlementProjection } from '#contexts/settlement/infrastructure/settling/settlement-projection.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { newId } from '#shared/kernel/ids.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { logSettled } from '#shared/platform/event-log/testing/log-settled.js';
import { HASH_CHAIN_LEASE, EventHashChain } from '#shared/platform/seals/event-hash-chain.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const FEES = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const actor = 'test';

/**
 * Creates a merchant with one of each record, linked as the service links them: a credential, terms, a webhook and a
 * session, and payment requests that are `paid` with a `late` deposit, `reversed`, `open`, `processing` and closed
 * early. All events are posted, delivered to the webhook and in the hash chain.
 */
export async function openAuditedWorld() {
  const shop = await openCheckouts();
  const { platform, database, chain } = shop;
  // One second per block, so that the chain does not get far ahead of the clock.
  chain.blockSeconds = 1;
  const auditLog = new PostgresAuditLog(database);
  const organizations = new Organizations(database);
  const accounts = new MerchantAccounts(database);
  const { clock } = platform;

  const created = await new CreateOrganization(database, clock, organizations, accounts, auditLog).create({
    name: 'Corner Coffee',
    actor,
  });
  const organizationId = created.organization.id;
  const accountId = created.account.id;
  await new CreateMerchantAccount(database, clock, organizations, accounts, auditLog).create({
    organizationId,
    name: 'Branch',
    externalId: 'branch',
    actor,
  });
  const environment = new ApiKeyEnvironment('development');
  const credentials = new Credentials(database);
  const issue = new IssueCredential(
    ...([clock, environment, organizations, accounts, credentials, auditLog] as const),
    new DeploymentCell(),
  );
  await new CreateCredential(database, issue).create({
    organizationId,
    name: 'Till',
    roles: ['read'],
    allowedAddresses: ['192.0.2.0/24'],
    actor,
  });
  const setTerms = new SetSettlementTerms(
    ...([database, clock, accounts, shop.catalogue] as const),
    new SameChain({
      payoutAddresses: new EvmPayoutAddressRules(
        'sandbox',
        new ForwarderDerivations(settingsFor('http://127.0.0.1:9')),
      ),
    }),
    new SettlementTermsRecords(database),
    new PostgresKnownDepositAddresses(database),
    auditLog,
  );
  const terms = new Map();
  for (const network of [NETWORK, OTHER_NETWORK]) {
    const set = { settlementAddress: ADDRESS, feeRecipient: FEES, feeBasisPoints: 100 };
    terms.set(network, await setTerms.set({ organizationId, network, ...set, actor }));
  }
  const point = await shop.openShop({ organizationId, accountId, terms, version: `1.${terms.size}` });
  const webhooks = webhooksFixture(platform);
  await webhooks.register({ organizationId, accountId }, 'https://shop.example/hooks');

  const request = (referenceId: string) => shop.request({ referenceId }, point);
  const reversed = await request('reversed');
  chain.mine(pay(reversed, 1000));
  chain.mineEmpty(4);
  await shop.follow();
  chain.removeNewestBlocks(5);
  chain.mineEmpty(6);
  await shop.follow();
  const paid = await request('paid');
  const session = await shop.checkout({ referenceId: 'session' }, point);
  await shop.select(session, EURO);
  await shop.select(session, DOLLAR);
  chain.mine(pay(paid, 400));
  chain.mine(pay(paid, 600), payAll((await shop.session(session))!, DOLLAR));
  chain.mine(pay(paid, 250));
  chain.mineEmpty(4);
  await shop.follow();
  await request('open');
  const processing = await request('processing');
  chain.mine(pay(processing, 300));
  await shop.follow();

  const ledger = new SubscriberRunner(database, ledgerSubscriberOn(database));
  await ledger.register();
  const settlements = new PostgresSettlements(database, platform.eventLog);
  const projection = new SubscriberRunner(
    database,
    new SettlementProjection(new UpdateSettlements(clock, settlements)),
  );
  await projection.register();
  const settle = async () => {
    await logSettled(database);
    while (await ledger.applyNextBatch());
    while (await projection.applyNextBatch());
    await webhooks.happen();
  };
  await settle();
  const seals = new EventHashChain(database, platform.leases);
  const epoch = (await platform.leases.acquire(HASH_CHAIN_LEASE, newId()))!;
  while ((await seals.appendLink(epoch, 10)) !== null);
  return { ...shop, seals, settle, catalogue: shop.catalogue, close: () => platform.close() };
}
