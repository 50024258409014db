import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { newId, type PaymentRequestId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import {
  afterNoon,
  newTenant,
  NOON,
  randomHex,
  StoredPayments,
  type Tenant,
} from '#contexts/payments/testing/requests/stored-payments.js';
import { ExplanationQueries } from './explanation-queries.js';

const NETWORKS = ['sandbox', 'polygon'];

let platform: TestPlatform;
let stored: StoredPayments;
let queries: ExplanationQueries;

beforeAll(async () => {
  platform = await openTestDatabase();
  stored = new StoredPayments(platform.database);
  queries = new ExplanationQueries(platform.database);
  await stored.read('sandbox', 20, 90, { final_number: 15, final_time: NOON });
  await stored.read('polygon', 7, -30, { disagreement: 'only one shows 0xabc.', disagrees_since: NOON });
});
afterAll(() => platform.close('any'));

const organization = ({ organizationId }: Tenant): TenantScope => ({ organizationId, accountId: null });
const account = ({ organizationId, accountId }: Tenant): TenantScope => ({ organizationId, accountId });

type Stored = Awaited<ReturnType<StoredPayments['request']>>;
const explain = ({ id, posId, tenant }: Stored, scope = organization(tenant), pos = posId) =>
  queries.readRequest(scope, pos as PointOfSaleId, id as PaymentRequestId);

describe('The set of facts that explain a payment request', () => {
  it('includes the requested asset, its deadline and the progress of its network', async () => {
    const request = await stored.request(newTenant());

    const found = await explain(request);

    const dollars = {
      ...{ network: 'sandbox', uniqueAssetId: 'nsandbox_tUSDX', currency: 'USDX', decimals: 6 },
      ...{ amount: 10_000_000n, address: toDisplayAddress(request.address), countsUntil: afterNoon(540) },
    };
    const read = { toBlock: 20, toTime: expect.any(Date), final: { block: 15, time: NOON } };
    expect(found).toEqual({
      ...{ id: request.id, pointOfSaleId: request.posId, referenceId: 'order-1042' },
      ...{ status: 'created', fulfilled: false, createdAt: NOON, expiresAt: afterNoon(480) },
      ...{ offered: [dollars], asked: dollars, receivedAmount: 0n, transfers: [] },
      networks: [{ network: 'sandbox', read, behindSeconds: expect.any(Number) }],
      now: expect.any(Date),
    });
    const [network] = found.networks;
    const behind = (found.now.getTime() - network!.read!.toTime.getTime()) / 1_000;
    expect(behind).toBeGreaterThanOrEqual(90);
    expect(network!.behindSeconds).toBe(Math.floor(behind));
  });

  it('includes every selected asset with its own grace and network', async () => {
    const tenant = newTenant();
    const request = await stored.request(tenant, { status: 'processing' });
    const other = randomHex(20);
    await stored.address(tenant, request.id, 'polygon', 'npolygon_tUSDX', other);
    const { organizationId: organization_id, accountId: account_id } = tenant;
    const of = { payment_request_id: request.id, organization_id, account_id };
    await stored.insert('checkouts', {
      ...{ ...of, session_id: 'A'.repeat(32), amount: '10', coin_code: 'USD', merchant: '{}' },
      ...{ payment_options: ['nsandbox_tUSDX'], created_at: NOON },
    });
    const selection = (network: string, address: string, grace: number, seconds: number) =>
      stored.insert('selections', {
        ...{ ...of, unique_asset_id: `n${network}_tUSDX`, network, address, currency: 'USDX', decimals: 6 },
        ...{ amount: '10000000', inclusion_grace_seconds: grace, selected_at: afterNoon(seconds) },
      });
    await selection('sandbox', request.address, 60, 10);
    await selection('polygon', other, 240, 20);

    const found = await explain(request);

    expect(found.offered.map(({ network, countsUntil }) => [network, countsUntil])).toEqual([
      ['sandbox', afterNoon(540)],
      ['polygon', afterNoon(720)],
    ]);
    expect(found.asked).toEqual(found.offered[0]);
    expect(found.networks).toMatchObject([
      { network: 'polygon', read: { toBlock: 7, disagreesSince: NOON }, behindSeconds: 0 },
      { network: 'sandbox', read: { toBlock: 20 } },
    ]);
    expect(JSON.stringify(found.networks)).not.toContain('0xabc');
  });

  it('contains no asset before the selection', async () => {
    const nothing = { network: null, unique_asset_id: null, currency: null, decimals: null, amount: null };
    const request = await stored.request(newTenant(), { status: 'pending', ...nothing });

    const found = await explain(request);

    expect(found).toMatchObject({ status: 'pending', offered: [], transfers: [], networks: [] });
    expect(found.asked).toBeUndefined();
  });

  it('contains only the name of a network that was never read', async () => {
    const request = await stored.request(newTenant(), { network: 'base', unique_asset_id: 'nbase_tUSDX' });

    expect((await explain(request)).networks).toEqual([{ network: 'base' }]);
  });

  it('is not found by another organization, account or point of sale', async () => {
    const request = await stored.request(newTenant());
    const { organizationId } = request.tenant;
    const missing = { kind: 'not_found' };

    await expect(explain(request, organization(newTenant()))).rejects.toMatchObject(missing);
    await expect(explain(request, { organizationId, accountId: newId() })).rejects.toMatchObject(missing);
    await expect(explain(request, organization(request.tenant), newId())).rejects.toMatchObject(missing);
    expect((await explain(request, account(request.tenant))).id).toBe(request.id);
  });
});

describe('The lookup of deposit addresses', () => {
  it('finds only addresses of the caller, on every network', async () => {
    const tenant = newTenant();
    const [request, foreign] = [await stored.request(tenant), await stored.request(newTenant())];
    await stored.address(tenant, request.id, 'polygon', 'npolygon_tUSDX', request.address);
    const asked = [request.address, foreign.address, randomHex(20)];

    const found = await queries.findOwnAddresses(organization(tenant), NETWORKS, asked);
    const ofSibling = await queries.findOwnAddresses({ ...tenant, accountId: newId() }, NETWORKS, asked);

    const own = { address: request.address, paymentRequestId: request.id, pointOfSaleId: request.posId };
    expect(found).toEqual([
      { network: 'polygon', ...own },
      { network: 'sandbox', ...own },
    ]);
    expect(ofSibling).toEqual([]);
  });
});

describe('The lookup of payment requests by transaction', () => {
  it('finds each request that it paid and includes its transfers', async () => {
    const tenant = newTenant();
    const [first, second] = [await stored.request(tenant), await stored.request(tenant)];
    const hash = await stored.transfer(first, { index: 1, block_number: 12, counted: false });
    await stored.transfer(second, { transaction_hash: hash, index: 2, counted: false });
    for (let index = 0; index < 100; index += 1) await stored.transfer(first, { index, block_number: 1 });

    const found = await queries.listRequestsPaidBy(organization(tenant), NETWORKS, hash);

    expect(found.map(({ id }) => id)).toEqual([first.id, second.id].sort());
    const shown = found.flatMap(({ transfers }) => transfers.map(({ transactionHash }) => transactionHash));
    expect(shown.filter((each) => each === hash)).toHaveLength(2);
    expect(shown).toHaveLength(101);
  });

  it('finds native coin, and only on the given networks', async () => {
    const request = await stored.request(newTenant());
    const hash = await stored.transfer(request, { kind: 'call', unique_asset_id: 'nsandbox_tETH' });
    const scope = organization(request.tenant);

    expect(await queries.listRequestsPaidBy(scope, NETWORKS, hash)).toHaveLength(1);
    expect(await queries.listRequestsPaidBy(scope, ['polygon'], hash)).toEqual([]);
  });

  it('does not find a transaction that was reorganized away', async () => {
    const request = await stored.request(newTenant());
    const hash = await stored.transfer(request, { canonical: false, counted: false });

    expect(await queries.listRequestsPaidBy(organization(request.tenant), NETWORKS, hash)).toEqual([]);
  });

  it('finds nothing of another organization or account', async () => {
    const [ours, theirs] = [newTenant(), newTenant()];
    const sibling = { organizationId: ours.organizationId, accountId: newTenant().accountId };
    const request = await stored.request(ours);
    const hash = await stored.transfer(request);
    await stored.transfer(await stored.request(theirs), { transaction_hash: hash, index: 8 });
    const idsFor = async (scope: TenantScope) =>
      (await queries.listRequestsPaidBy(scope, NETWORKS, hash)).map(({ id }) => id);

    expect(await idsFor(organization(ours))).toEqual([request.id]);
    expect(await idsFor(account(ours))).toEqual([request.id]);
    expect(await idsFor(account(sibling))).toEqual([]);
    expect(await idsFor(organization(newTenant()))).toEqual([]);
  });
});
