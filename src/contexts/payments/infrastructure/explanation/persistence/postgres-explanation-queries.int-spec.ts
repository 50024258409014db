import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { newId, type PaymentRequestId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import {
  afterNoon,
  newTenant,
  NOON,
  randomHex,
  StoredPayments,
  type Tenant,
} from '#contexts/payments/testing/requests/stored-payments.js';
import { PostgresExplanationQueries } from './postgres-explanation-queries.js';

const NETWORKS = ['sandbox', 'polygon'];

let platform: TestPlatform;
let stored: StoredPayments;
let queries: PostgresExplanationQueries;

beforeAll(async () => {
  platform = await openTestDatabase();
  stored = new StoredPayments(platform.database);
  queries = new PostgresExplanationQueries(platform.database);
  await stored.read('sandbox', 20, 90, { final_number: 15, final_time: NOON });
  await stored.read('polygon', 7, -30, { disagreement: 'only one shows 0xabc.', disagrees_since: NOON });
});
afterAll(() => platform.close('any'));

const organization = ({ organizationId }: Tenant): Scope => ({ organizationId, accountId: null });
const account = ({ organizationId, accountId }: Tenant): Scope => ({ organizationId, accountId });

type Stored = Awaited<ReturnType<StoredPayments['request']>>;
const explain = ({ id, posId, tenant }: Stored, scope = organization(tenant), pos = posId) =>
  queries.request(scope, pos as PointOfSaleId, id as PaymentRequestId);

describe('Reading what explains a payment request', () => {
  it('tells what was asked, until when it counts, and how far its network was read', async () => {
    const request = await stored.request(newTenant());

    const found = await explain(request);

    const dollars = {
      network: 'sandbox',
      uniqueAssetId: 'nsandbox_tUSDX',
      currency: 'USDX',
      decimals: 6,
      amount: 10_000_000n,
      address: addressForPeople(request.address),
      countsUntil: afterNoon(540),
    };
    expect(found).toEqual({
      id: request.id,
      pointOfSaleId: request.posId,
      referenceId: 'order-1042',
      status: 'created',
      fulfilled: false,
      createdAt: NOON,
      expiresAt: afterNoon(480),
      offered: [dollars],
      asked: dollars,
      receivedAmount: 0n,
      transfers: [],
      networks: [
        {
          network: 'sandbox',
          read: { toBlock: 20, toTime: expect.any(Date), final: { block: 15, time: NOON } },
          behindSeconds: expect.any(Number),
        },
      ],
      now: expect.any(Date),
    });
    const { read, behindSeconds } = found.networks[0]!;
    const behind = (found.now.getTime() - read!.toTime.getTime()) / 1_000;
    expect(behind).toBeGreaterThanOrEqual(90);
    expect(behindSeconds).toBe(Math.floor(behind));
  });

  it('tells every asset that a checkout’s payer was shown, each with its own grace, and its networks', async () => {
    const tenant = newTenant();
    const request = await stored.request(tenant, { status: 'processing' });
    const other = randomHex(20);
    await stored.address(tenant, request.id, 'polygon', 'npolygon_tUSDX', other);
    await stored.insert('checkouts', {
      payment_request_id: request.id,
      session_id: 'A'.repeat(32),
      amount: '10',
      coin_code: 'USD',
      organization_id: tenant.organizationId,
      account_id: tenant.accountId,
      payment_options: ['nsandbox_tUSDX'],
      merchant: '{}',
      created_at: NOON,
    });
    const selection = (network: string, address: string, inclusion_grace_seconds: number, seconds: number) =>
      stored.insert('selections', {
        payment_request_id: request.id,
        unique_asset_id: `n${network}_tUSDX`,
        network,
        address,
        organization_id: tenant.organizationId,
        account_id: tenant.accountId,
        currency: 'USDX',
        decimals: 6,
        amount: '10000000',
        inclusion_grace_seconds,
        selected_at: afterNoon(seconds),
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

  it('knows no asset before one is chosen', async () => {
    const nothing = { network: null, unique_asset_id: null, currency: null, decimals: null, amount: null };
    const request = await stored.request(newTenant(), { status: 'pending', ...nothing });

    const found = await explain(request);

    expect(found).toMatchObject({ status: 'pending', offered: [], transfers: [], networks: [] });
    expect(found.asked).toBeUndefined();
  });

  it('says of a network that was never read only that', async () => {
    const request = await stored.request(newTenant(), { network: 'base', unique_asset_id: 'nbase_tUSDX' });

    expect((await explain(request)).networks).toEqual([{ network: 'base' }]);
  });

  it.each([
    ['another organization', (): Scope => organization(newTenant())],
    [
      'another account of it',
      ({ organizationId }: Tenant): Scope => ({ organizationId, accountId: newId() }),
    ],
  ])('finds nothing for %s', async (_, scopeOf) => {
    const request = await stored.request(newTenant());

    await expect(explain(request, scopeOf(request.tenant))).rejects.toMatchObject({ kind: 'not_found' });
    expect((await explain(request, account(request.tenant))).id).toBe(request.id);
  });

  it('finds nothing under another point of sale', async () => {
    const request = await stored.request(newTenant());

    await expect(explain(request, organization(request.tenant), newId())).rejects.toMatchObject({
      kind: 'not_found',
    });
  });
});

describe('Whose addresses these are', () => {
  it('tells the caller’s own alone, on every network on which they were shown', async () => {
    const tenant = newTenant();
    const [request, foreign] = [await stored.request(tenant), await stored.request(newTenant())];
    await stored.address(tenant, request.id, 'polygon', 'npolygon_tUSDX', request.address);
    const asked = [request.address, foreign.address, randomHex(20)];

    const found = await queries.ownAddresses(organization(tenant), NETWORKS, asked);
    const ofSibling = await queries.ownAddresses({ ...tenant, accountId: newId() }, NETWORKS, asked);

    const own = { address: request.address, paymentRequestId: request.id, pointOfSaleId: request.posId };
    expect(found).toEqual([
      { network: 'polygon', ...own },
      { network: 'sandbox', ...own },
    ]);
    expect(ofSibling).toEqual([]);
  });
});

describe('How far networks were read', () => {
  it('comes in the order asked, also where none was recorded', async () => {
    const found = await queries.readings(['sandbox', 'base', 'polygon']);

    expect(found.map(({ network, read }) => [network, read?.toBlock])).toEqual([
      ['sandbox', 20],
      ['base', undefined],
      ['polygon', 7],
    ]);
    expect(found[2]).toEqual({
      network: 'polygon',
      read: { toBlock: 7, toTime: expect.any(Date), disagreesSince: NOON },
      behindSeconds: 0,
    });
  });
});
