import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Scrape } from '#test/support/scrape.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { OutputChain } from '#contexts/networks/testing/output-chain.js';
import {
  OUTPUT_COIN,
  OUTPUT_NETWORK,
  OutputChainType,
} from '#contexts/networks/testing/output-chain-type.js';
import {
  MerchantWalletAddresses,
  PostgresKnownDepositAddresses,
} from '#contexts/payments/infrastructure/requests/persistence/views/merchant-wallet-addresses.js';
import { GapLimitMonitor } from '#contexts/payments/infrastructure/requests/gap-limit-monitor.js';
import { CONFIRMATIONS, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { HashedOrWalletAddresses } from '#contexts/payments/testing/requests/hashed-addresses.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { SetSettlementTerms } from '#contexts/point-of-sale/application/set-settlement-terms.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { SettlementTermsRecord } from '#contexts/point-of-sale/domain/settlement-terms.js';
import { SettlementTermsRecords } from '#contexts/point-of-sale/infrastructure/persistence/settlement-terms-records.js';
import { AccountsOfTenants } from '#contexts/point-of-sale/testing/tenants.js';
import { Database } from '#shared/platform/database/database.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { runCommand } from '../testing/run-command.js';

const WALLET = 'wallet(OWN)';
const family = new OutputChainType(new OutputChain(OUTPUT_COIN.token, 0));
const chains = new SameChain(family);
const addressAt = (number: number) => family.wallets.walletOfSettlementAddress(WALLET).addressAt(number);
let payments: Payments;
let owner: PaymentPointOfSale;
let folder: string;
beforeEach(async () => {
  payments = await openPayments(CONFIRMATIONS, SmallCatalogue.withWallets(), new HashedOrWalletAddresses());
  await payments.follow(OUTPUT_NETWORK);
  owner = await payments.pointsOfSale.open();
  folder = mkdtempSync(join(tmpdir(), 'labels-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await payments.close();
});

function parts() {
  const { database, clock } = payments.platform;
  const terms = new SettlementTermsRecords(database);
  const shown = new PostgresKnownDepositAddresses(database);
  return new Map<unknown, object>([
    [Database, database],
    [NetworkCatalogue, payments.catalogue],
    [Chains, chains],
    [MerchantWalletAddresses, new MerchantWalletAddresses(database)],
    [SettlementTermsRecords, terms],
    [
      SetSettlementTerms,
      new SetSettlementTerms(
        ...([database, clock, new AccountsOfTenants(database), payments.catalogue] as const),
        ...([chains, terms, shown, new PostgresAuditLog(database)] as const),
      ),
    ],
  ]);
}

const whose = ['--organization', '', '--network', OUTPUT_NETWORK];
function words(command: string, ...more: string[]): string[] {
  return [...command.split(' '), ...whose.map((word) => word || owner.organizationId), ...more];
}

async function run(command: string, ...more: string[]) {
  const { status, out, err } = await runCommand(parts(), [...words(command, ...more), '--json']);
  return { status, answer: JSON.parse(out || err) as Record<string, unknown> };
}

const set = (descriptor = WALLET) => run('descriptor set', '--descriptor', descriptor, '--yes');

/** Creates a shop under the current settlement terms. */
async function shop(): Promise<PaymentPointOfSale> {
  const [terms] = (await new SettlementTermsRecords(payments.platform.database).listCurrent(
    owner.organizationId,
  )) as [SettlementTermsRecord];
  return payments.pointsOfSale.open({
    ...{ organizationId: owner.organizationId, accountId: owner.accountId, version: '1.1' },
    paymentOptions: [OUTPUT_COIN.uniqueAssetId],
    terms: new Map([[OUTPUT_NETWORK, terms]]),
  });
}

async function requests(count: number, referenceId?: string) {
  const point = await shop();
  const created = [];
  for (let i = 0; i < count; i += 1)
    created.push(
      await payments.request(
        { uniqueAssetId: OUTPUT_COIN.uniqueAssetId, amount: '0.01', ...(referenceId && { referenceId }) },
        point,
      ),
    );
  return created;
}

describe('The command "descriptor set"', () => {
  it('shows the first three addresses and asks for the name of the organization', async () => {
    const questions: string[] = [];
    const host = { ask: (question: string) => (questions.push(question), Promise.resolve('no')) };

    const { status, err } = await runCommand(parts(), words('descriptor set', '--descriptor', WALLET), host);

    expect([status, err]).toEqual([2, 'Not confirmed. Nothing was done.']);
    expect(questions.join()).toContain(`go to ${[0, 1, 2].map(addressAt).join(', ')} and`);
    expect(questions.join()).toMatch(/Type Organization to continue: $/);
  });

  it('rejects invalid descriptors, wallets of other organizations and networks without wallets', async () => {
    const refused = await run('descriptor set', '--descriptor', 'xprv9s21ZrQH143K');
    await set('wallet(TAKEN)');
    const stranger = await payments.pointsOfSale.open();
    const taken = await runCommand(parts(), [
      ...['descriptor', 'set', '--organization', stranger.organizationId, '--network', OUTPUT_NETWORK],
      ...['--descriptor', 'wallet(TAKEN)', '--yes'],
    ]);
    const held = await runCommand(parts(), [
      ...['descriptor', 'set', '--organization', owner.organizationId, '--network', 'sandbox'],
      ...['--descriptor', WALLET],
    ]);

    expect([refused.status, refused.answer['code']]).toEqual([1, 'validation_failed']);
    expect(JSON.stringify(refused.answer)).toContain('descriptor');
    expect([held.status, held.err]).toEqual([2, expect.stringContaining('sandbox is not')]);
    expect([taken.status, taken.err]).toEqual([
      1,
      expect.stringMatching(/^descriptor: .* another organization/),
    ]);
    const stored = await payments.platform.database.query(
      `SELECT arguments ->> 'descriptor' AS descriptor FROM platform.operator_actions`,
    );
    expect(stored).toEqual([{ descriptor: 'wallet(TAKEN)' }]);
  });

  it('continues the numbering of a wallet that is set again', async () => {
    await set();
    await requests(2);

    const { answer } = await set();

    expect(answer).toMatchObject({ next_number: 2, addresses: [2, 3, 4].map(addressAt) });
  });
});

describe('The command "descriptor show"', () => {
  it('shows the next addresses, the last paid one and a note past the gap limit', async () => {
    await set();
    const [paid] = await requests(21);
    const before = await run('descriptor show');
    payments.chainOf(OUTPUT_NETWORK).mine(pay(paid!, 100, OUTPUT_COIN.token));
    await payments.follow(OUTPUT_NETWORK);

    const after = await run('descriptor show');
    const forPeople = await runCommand(parts(), words('descriptor show'));

    expect(before.answer).toMatchObject({ next_number: 21, last_paid: null, unused: 21 });
    expect(after.answer).toMatchObject({
      ...{ set_for: 'organization', descriptor: WALLET, next_number: 21, last_paid: 0, unused: 20 },
      next_addresses: [21, 22, 23].map(addressAt),
    });
    expect(forPeople.out).toContain('raise the gap limit');
  });
});

describe('The command "descriptor labels"', () => {
  it('writes a label for each used address to a new file that only its owner can read', async () => {
    await set();
    const [named] = await requests(1, 'order-7');
    const [unnamed] = await requests(1);
    const file = join(folder, 'labels.jsonl');

    const { answer } = await run('descriptor labels', '--file', file);
    const again = await run('descriptor labels', '--file', file);

    expect(answer).toEqual({ file, labels: 2 });
    expect(readFileSync(file, 'utf8')).toBe(
      `${named!.address} order-7\n${unnamed!.address} ${unnamed!.id}\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect([again.status, again.answer['code']]).toEqual([1, 'state_conflict']);
  });
});

describe('The metric of wallets with unused addresses', () => {
  it('counts a wallet from twenty unused addresses until a newer one is paid', async () => {
    const metrics = new Metrics();
    const worker = new GapLimitMonitor(
      ...([metrics, payments.catalogue, new MerchantWalletAddresses(payments.platform.database)] as const),
    );
    const counted = async () => {
      await worker.checkWallets();
      const name = 'payment_collection_wallets_with_unused_addresses';
      return new Scrape(await metrics.registry.metrics()).sum(name, { network: OUTPUT_NETWORK });
    };
    await set();
    await requests(19);
    const within = await counted();
    const [last] = await requests(1);
    const beyond = await counted();
    payments.chainOf(OUTPUT_NETWORK).mine(pay(last!, 100, OUTPUT_COIN.token));
    await payments.follow(OUTPUT_NETWORK);

    expect([within, beyond, await counted()]).toEqual([0, 1, 0]);
    const past = await new MerchantWalletAddresses(payments.platform.database).countWalletsPastGapLimit();
    expect(past).toEqual(new Map());
  });
});
