import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import type { Scope } from '#shared/kernel/scope.js';
import {
  newTenant,
  NOON,
  StoredPayments,
  type Tenant,
} from '#contexts/payments/testing/requests/stored-payments.js';
import { PostgresExplanationQueries, TRANSFERS_OF_TRANSACTION } from './postgres-explanation-queries.js';

const NETWORKS = ['sandbox', 'polygon'];

let platform: TestPlatform;
let stored: StoredPayments;
let queries: PostgresExplanationQueries;

beforeAll(async () => {
  platform = await openTestDatabase();
  stored = new StoredPayments(platform.database);
  queries = new PostgresExplanationQueries(platform.database);
  await stored.read('sandbox', 20, 90, { final_number: 15, final_time: NOON });
  await stored.read('polygon', 7, -30);
});
afterAll(() => platform.close('any'));

const organization = ({ organizationId }: Tenant): Scope => ({ organizationId, accountId: null });
const account = ({ organizationId, accountId }: Tenant): Scope => ({ organizationId, accountId });

describe('Looking up by transaction', () => {
  it('finds each request that it paid, its transfers among the shown', async () => {
    const tenant = newTenant();
    const [first, second] = [await stored.request(tenant), await stored.request(tenant)];
    const hash = await stored.transfer(first, { index: 1, block_number: 12, counted: false });
    await stored.transfer(second, { transaction_hash: hash, index: 2, counted: false });
    for (let index = 0; index < 100; index += 1) await stored.transfer(first, { index, block_number: 1 });

    const found = await queries.requestsPaidBy(organization(tenant), NETWORKS, hash);

    expect(found.map(({ id }) => id)).toEqual([first.id, second.id].sort());
    const shown = found.flatMap(({ transfers }) => transfers.map(({ transactionHash }) => transactionHash));
    expect(shown.filter((each) => each === hash)).toHaveLength(2);
    expect(shown).toHaveLength(101);
  });

  it('finds native coin, too, and nothing on a network that is not read', async () => {
    const request = await stored.request(newTenant());
    const hash = await stored.transfer(request, { kind: 'call', unique_asset_id: 'nsandbox_tETH' });
    const scope = organization(request.tenant);

    expect(await queries.requestsPaidBy(scope, NETWORKS, hash)).toHaveLength(1);
    expect(await queries.requestsPaidBy(scope, ['polygon'], hash)).toEqual([]);
  });

  it('does not find what was reorganised away', async () => {
    const request = await stored.request(newTenant());
    const hash = await stored.transfer(request, { canonical: false, counted: false });

    expect(await queries.requestsPaidBy(organization(request.tenant), NETWORKS, hash)).toEqual([]);
  });

  it('finds nothing of another organization’s or account’s', async () => {
    const [ours, theirs] = [newTenant(), newTenant()];
    const sibling = { organizationId: ours.organizationId, accountId: newTenant().accountId };
    const request = await stored.request(ours);
    const hash = await stored.transfer(request);
    await stored.transfer(await stored.request(theirs), { transaction_hash: hash, index: 8 });
    const idsFor = async (scope: Scope) =>
      (await queries.requestsPaidBy(scope, NETWORKS, hash)).map(({ id }) => id);

    expect(await idsFor(organization(ours))).toEqual([request.id]);
    expect(await idsFor(account(ours))).toEqual([request.id]);
    expect(await idsFor(account(sibling))).toEqual([]);
    expect(await idsFor(organization(newTenant()))).toEqual([]);
  });

  it('goes by the index of transactions, however many transfers there are', async () => {
    const { id, address, tenant } = await stored.request(newTenant());
    const hash = await stored.transfer({ id, address, tenant }, { counted: false });
    await platform.database.query(
      `INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
         unique_asset_id, currency, from_address, to_address, amount, decimals, required_confirmations, payment_request_id,
         organization_id, account_id, counted, detected_at)
       SELECT gen_random_uuid(), network, kind, '0x' || lpad(to_hex(n), 64, '0'), index, n, block_hash, block_time,
         unique_asset_id, currency, from_address, to_address, amount, decimals, required_confirmations, payment_request_id,
         organization_id, account_id, false, detected_at
       FROM payments.transfers, generate_series(1, 20000) n WHERE transaction_hash = $1`,
      [hash],
    );
    await platform.database.query('ANALYZE payments.transfers');

    const rows = await platform.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${TRANSFERS_OF_TRANSACTION}`,
      [NETWORKS, hash, tenant.organizationId, tenant.accountId],
    );

    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('transfers_unique_by_transaction');
    expect(plan).toMatch(/Index Cond: .*network = ANY.*kind = ANY.*transaction_hash = /);
  });
});
