import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { newId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { PageRequest } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { OUTPUT_NETWORK } from '#contexts/networks/testing/output-chain-type.js';
import { ASSET, FixedCatalogue, OTHER_ASSET } from '../../testing/fixed-catalogue.js';
import {
  CELL,
  ADDRESS,
  OTHER_ADDRESS,
  PointOfSaleParts,
  organizationScopeOf,
} from '../../testing/point-of-sale-parts.js';
import { createTenant, type Tenant } from '../../testing/tenants.js';
import { PointOfSaleCodeBackfill } from '../point-of-sale-code-backfill.js';
import { pointOfSaleInvariants } from './point-of-sale-invariants.js';
import { PostgresPointsOfSale } from './postgres-points-of-sale.js';

let parts: PointOfSaleParts;
/** Created outside every unit of work, so that callbacks run in it use their own database connection. */
const outside = new AsyncResource('outside');
beforeAll(async () => void (parts = await PointOfSaleParts.open()));
afterAll(() => parts.close());

async function publishedVersion(id: PointOfSaleId): Promise<string | undefined> {
  const [row] = await parts.platform.database.query<{ version: string }>(
    'SELECT version FROM point_of_sale.public_point_of_sale_versions WHERE id = $1',
    [id],
  );
  return row?.version;
}

describe('The lookup of a point of sale by code', () => {
  it('finds a physical point of sale of an existing account, only in its own cell', async () => {
    const owner = await createTenant(parts.platform.database, 2);
    // Only a point of sale with settlement terms is cached.
    await parts.setTerms(owner);
    const code = (id: PointOfSaleId) =>
      parts.records.find(organizationScopeOf(owner), id).then((point) => point.code!);
    const { id } = await parts.create(owner, { type: 'physical' });
    const closed = await parts.create(owner, { type: 'physical', account: owner.accountIds[1] });
    const codes = [await code(id), await code(closed.id)] as const;

    expect(await parts.pointsOfSale.findByCode(codes[0])).toMatchObject({ id });
    await parts.pointsOfSale.findByCode(codes[1]);
    await parts.platform.database.query('UPDATE identity.accounts SET deleted_at = now() WHERE id = $1', [
      owner.accountIds[1],
    ]);
    const elsewhere = new PostgresPointsOfSale(
      parts.platform.database,
      new FixedCatalogue(),
      new DeploymentCell('a', '0'),
    );

    for (const missing of [codes[1], id, 'A'.repeat(23), "' OR true --", codes[0].toLowerCase() + ' '])
      await expect(parts.pointsOfSale.findByCode(missing)).rejects.toMatchObject({ code: 'not_found' });
    await expect(elsewhere.findByCode(codes[0])).rejects.toMatchObject({ code: 'not_found' });
    parts.pointsOfSale.forget(closed.id);
    for (const lookup of [parts.pointsOfSale, parts.records])
      await expect(lookup.find(organizationScopeOf(owner), closed.id)).rejects.toMatchObject({
        code: 'not_found',
      });
  });

  it('finds a point of sale once a code is stored for it, which then never changes', async () => {
    const owner = await createTenant(parts.platform.database);
    const { database } = parts.platform;
    const [id, online] = [newId<PointOfSaleId>(), newId<PointOfSaleId>()];
    for (const [made, type] of [
      [id, 'physical'],
      [online, 'online'],
    ])
      await database.query(
        `INSERT INTO point_of_sale.points_of_sale (id, organization_id, account_id, name, type, merchant_name,
           payment_options, created_at, updated_at) VALUES ($1, $2, $3, 'Till', $4, 'Shop', $5, now(), now())`,
        [made, owner.organizationId, owner.accountIds[0], type, [ASSET]],
      );
    const work = new PointOfSaleCodeBackfill(database, CELL);

    await work.storeCodes();
    const { code } = await parts.records.find(organizationScopeOf(owner), id);
    await work.storeCodes();

    expect(await parts.pointsOfSale.findByCode(code!)).toMatchObject({ id });
    expect(await parts.records.find(organizationScopeOf(owner), online)).toMatchObject({ code: null });
    await expect(
      database.query(`UPDATE point_of_sale.points_of_sale SET code = 'other' WHERE id = $1`, [id]),
    ).rejects.toThrow('keeps its code');
  });
});

describe('The lookup of a point of sale', () => {
  it('returns tenant, options, settings and settlement terms', async () => {
    const owner = await createTenant(parts.platform.database, 2);
    await parts.setTerms(owner, { feeRecipient: OTHER_ADDRESS, feeBasisPoints: 50 });
    const settings = {
      ...{
        type: 'physical',
        merchant: { name: 'Shop', mcc: '5661' },
        returnUrl: 'https://shop.example/thanks',
      },
      ...{ frameOrigins: ['https://shop.example'], checkoutFirst: 'code', openAmount: true },
    };
    const point = await parts.create(owner, {
      ...{ ...settings, account: owner.accountIds[1], till: { coinCode: 'EUR' } },
      paymentOptions: [ASSET.toUpperCase().replace('NPOLYGON_T0X', 'npolygon_t0x')],
    });

    const found = await parts.pointsOfSale.find(organizationScopeOf(owner), point.id);

    const terms = {
      ...{ id: expect.any(String), network: 'polygon', settlementAddress: ADDRESS },
      ...{ feeRecipient: OTHER_ADDRESS, feeBasisPoints: 50 },
    };
    expect(found).toEqual({
      ...{ ...settings, id: point.id, organizationId: owner.organizationId, accountId: owner.accountIds[1] },
      ...{ paymentOptions: [ASSET], tillCoin: 'EUR', terms: new Map([['polygon', terms]]) },
      version: await publishedVersion(point.id),
    });
  });

  it('prefers terms of the account over those of the organization, per network', async () => {
    const owner = await createTenant(parts.platform.database, 2);
    const [own, other] = owner.accountIds;
    await parts.setTerms(owner, { accountId: own, settlementAddress: OTHER_ADDRESS });
    await parts.setTerms(owner, { settlementAddress: ADDRESS });
    await parts.setTerms(owner, { network: 'erc20', settlementAddress: ADDRESS });
    const mine = await parts.create(owner, { paymentOptions: [ASSET, OTHER_ASSET] });
    const theirs = await parts.create(owner, { account: other! });

    const find = async (id: PointOfSaleId) =>
      (await parts.pointsOfSale.find(organizationScopeOf(owner), id)).terms;

    expect((await find(mine.id)).get('polygon')?.settlementAddress).toBe(OTHER_ADDRESS);
    expect((await find(mine.id)).get('erc20')?.settlementAddress).toBe(ADDRESS);
    expect((await find(theirs.id)).get('polygon')?.settlementAddress).toBe(ADDRESS);
  });

  it('changes the published version with the terms', async () => {
    const owner = await createTenant(parts.platform.database);
    const stranger = await createTenant(parts.platform.database);
    await parts.setTerms(owner);
    const point = await parts.create(owner);
    const foreign = await parts.create(stranger);
    const before = await parts.pointsOfSale.find(organizationScopeOf(owner), point.id);
    const foreignVersion = await publishedVersion(foreign.id);
    expect(await publishedVersion(point.id)).toBe(before.version);

    await parts.setTerms(owner, { settlementAddress: OTHER_ADDRESS });

    expect(await publishedVersion(point.id)).not.toBe(before.version);
    expect(await publishedVersion(foreign.id)).toBe(foreignVersion);
    expect(await parts.pointsOfSale.find(organizationScopeOf(owner), point.id)).toBe(before);
    parts.pointsOfSale.forget(point.id);
    const after = await parts.pointsOfSale.find(organizationScopeOf(owner), point.id);
    expect(after.terms.get('polygon')?.settlementAddress).toBe(OTHER_ADDRESS);
    expect(after.version).toBe(await publishedVersion(point.id));
  });

  it('changes the published version with the underpayment tolerance of the account', async () => {
    const owner = await createTenant(parts.platform.database, 2);
    await parts.setTerms(owner);
    const point = await parts.create(owner);
    const sibling = await parts.create(owner, { account: owner.accountIds[1] });
    const found = () => parts.pointsOfSale.find(organizationScopeOf(owner), point.id);
    const before = await found();
    const ofSibling = await publishedVersion(sibling.id);
    const accept = (tolerance: object | null) =>
      parts.platform.database.query(
        'UPDATE identity.accounts SET underpayment_tolerance = $2 WHERE id = $1',
        [owner.accountIds[0], tolerance],
      );

    await accept({ basisPoints: 50, atMost: '0.5' });
    const stale = await found();
    const published = await publishedVersion(point.id);
    parts.pointsOfSale.forget(point.id);
    const after = await found();
    await accept(null);

    expect([before.underpaymentTolerance, stale]).toEqual([undefined, before]);
    expect(after).toMatchObject({
      underpaymentTolerance: { basisPoints: 50, atMost: '0.5' },
      version: published,
    });
    expect(published).not.toBe(before.version);
    expect(await publishedVersion(point.id)).toBe(before.version);
    expect(await publishedVersion(sibling.id)).toBe(ofSibling);
  });

  it('changes the published version with the point of sale', async () => {
    const owner = await createTenant(parts.platform.database);
    await parts.setTerms(owner);
    const point = await parts.create(owner);
    const other = await parts.create(owner);
    const replica = new PostgresPointsOfSale(parts.platform.database, new FixedCatalogue(), CELL);
    const before = await replica.find(organizationScopeOf(owner), point.id);
    const otherVersion = await publishedVersion(other.id);

    await parts.change(owner, point.id, { merchant: { name: 'Store' } });

    expect((await parts.pointsOfSale.find(organizationScopeOf(owner), point.id)).merchant).toEqual({
      name: 'Store',
    });
    expect(await replica.find(organizationScopeOf(owner), point.id)).toBe(before);
    expect(await publishedVersion(point.id)).not.toBe(before.version);
    expect(await publishedVersion(other.id)).toBe(otherVersion);
    replica.forget(point.id);
    expect((await replica.find(organizationScopeOf(owner), point.id)).merchant).toEqual({ name: 'Store' });
  });

  it('changes the version of a point of sale that is created while terms change', async () => {
    const owner = await createTenant(parts.platform.database);
    await parts.setTerms(owner);
    const { database } = parts.platform;
    const seen: string[] = [];

    const point = await database.run(async () => {
      await parts.setTerms(owner, { settlementAddress: OTHER_ADDRESS });
      // Runs on a separate connection, so that it commits before the change of terms does.
      const born = await outside.runInAsyncScope(() => parts.create(owner));
      seen.push((await outside.runInAsyncScope(() => publishedVersion(born.id)))!);
      return born;
    });

    expect(await publishedVersion(point.id)).not.toBe(seen[0]);
  });

  it('does not remember missing terms', async () => {
    const owner = await createTenant(parts.platform.database);
    const point = await parts.create(owner);
    expect((await parts.pointsOfSale.find(organizationScopeOf(owner), point.id)).terms.size).toBe(0);

    await parts.setTerms(owner);

    expect((await parts.pointsOfSale.find(organizationScopeOf(owner), point.id)).terms.size).toBe(1);
  });

  it('forgets all points of sale after a failover', async () => {
    const owner = await createTenant(parts.platform.database);
    await parts.setTerms(owner);
    const { id } = await parts.create(owner);
    const returnUrl = async () => (await parts.pointsOfSale.find(organizationScopeOf(owner), id)).returnUrl;
    await returnUrl();
    const lost = 'https://lost.example/';
    const { database } = parts.platform;
    await database.query('UPDATE point_of_sale.points_of_sale SET return_url = $2 WHERE id = $1', [id, lost]);
    const remembered = await returnUrl();
    database.identity.resumeWriting();

    expect([remembered, await returnUrl()]).toEqual([undefined, lost]);
  });

  it('hides points of sale of other tenants, even if they are in memory', async () => {
    const owner = await createTenant(parts.platform.database, 2);
    const stranger = await createTenant(parts.platform.database);
    await parts.setTerms(owner);
    const point = await parts.create(owner);
    await parts.pointsOfSale.find(organizationScopeOf(owner), point.id);
    const [own, other] = owner.accountIds;
    const ask = (scope: Parameters<typeof parts.pointsOfSale.find>[0], id = point.id) =>
      parts.pointsOfSale.find(scope, id).catch((error: Error) => error.message);

    const foreign = await ask(organizationScopeOf(stranger));

    expect(foreign).toMatch(/^No such point of sale/);
    expect(await ask({ ...organizationScopeOf(owner), accountId: other! })).toBe(foreign);
    expect(await ask(organizationScopeOf(owner), newId())).toBe(foreign);
    expect(await ask({ ...organizationScopeOf(owner), accountId: own })).toMatchObject({ id: point.id });
  });
});

describe('The list of points of sale', () => {
  const page: PageRequest = { page: 1, pageSize: 10 };
  let owner: Tenant;
  let stranger: Tenant;
  /** Lists as the API does: in the caller's scope, or in the scope of the account that the caller names. */
  async function list(scope: TenantScope, account?: string, request = page) {
    return parts.records.list(await parts.accounts.narrowScopeIfGiven(scope, account), request);
  }
  beforeAll(async () => {
    owner = await createTenant(parts.platform.database, 2);
    stranger = await createTenant(parts.platform.database);
    for (const accountId of owner.accountIds) await parts.create(owner, { account: accountId });
    await parts.create(stranger);
  });

  it('contains all points of sale of an organization, or those of one account', async () => {
    const [first, second] = owner.accountIds;

    const all = await list(organizationScopeOf(owner));
    const one = await list(organizationScopeOf(owner), second!.toUpperCase());

    expect(all.total).toBe(2);
    expect(all.items.map(({ accountId, accountName }) => [accountId, accountName])).toEqual([
      [first, 'Branch 1'],
      [second, 'Branch 2'],
    ]);
    expect(all.items[0]).toMatchObject({
      organizationName: 'Example Shops',
      type: 'online',
      returnUrl: null,
    });
    expect(one.items.map(({ accountId }) => accountId)).toEqual([second]);
  });

  it('contains only those of the account and supports pages and cursors', async () => {
    const own = await list({ ...organizationScopeOf(owner), accountId: owner.accountIds[0] });
    const last = await list(organizationScopeOf(owner), undefined, { page: 2, pageSize: 1 });
    const beyond = await list(organizationScopeOf(owner), undefined, { page: 3, pageSize: 1 });

    expect(own.items.map(({ accountId }) => accountId)).toEqual([owner.accountIds[0]]);
    expect([last.total, last.items[0]?.accountId]).toEqual([2, owner.accountIds[1]]);
    const byCursor = await readByCursor((request) => list(organizationScopeOf(owner), undefined, request));

    expect(beyond).toEqual({ total: 2, items: [] });
    expect(byCursor.map(({ accountId }) => accountId)).toEqual(owner.accountIds);
  });

  it('offers the chosen point of sale and all others if they are few', async () => {
    const [first] = (await list(organizationScopeOf(owner))).items;
    const offered = async (typed: string) =>
      (await parts.records.searchChoices(organizationScopeOf(owner), { typed })).total;

    expect(await Promise.all([first!.id, 'branch 1', newId<string>()].map(offered))).toEqual([2, 1, 0]);
    const physical = { typed: '', type: 'physical' } as const;
    expect((await parts.records.searchChoices(organizationScopeOf(owner), physical)).total).toBe(0);
    expect(await parts.records.namesOf(owner.organizationId, [first!.id])).toEqual(
      new Map([[first!.id, first!.name]]),
    );
    expect(await parts.records.namesOf(stranger.organizationId, [first!.id])).toEqual(new Map());
  });

  it('rejects an account outside the scope, whether it exists or not', async () => {
    const [own, other] = owner.accountIds;
    const organization = organizationScopeOf(owner);
    const account = { ...organization, accountId: own };

    for (const [scope, named] of [
      [organization, stranger.accountIds[0]],
      [organization, newId<string>()],
      [account, own],
      [account, other!],
    ] as const) {
      await expect(list(scope, named)).rejects.toMatchObject({
        kind: 'forbidden',
        code: 'account_not_allowed',
      });
    }
  });
});

describe('The withdrawal address of an organization', () => {
  it('is the latest address of the organization, even if an account received a newer one', async () => {
    const shop = await createTenant(parts.platform.database);
    await parts.setTerms(shop, { settlementAddress: OTHER_ADDRESS });
    await parts.setTerms(shop, { settlementAddress: ADDRESS });
    await parts.setTerms(shop, { settlementAddress: OTHER_ADDRESS, accountId: shop.accountIds[0] });

    expect(await parts.terms.settlementAddress(shop.organizationId, 'polygon')).toBe(ADDRESS);
    expect(await parts.terms.settlementAddress(shop.organizationId, 'erc20')).toBeNull();
    expect(await parts.terms.settlementAddress(newId(), 'polygon')).toBeNull();
  });
});

describe('The list of settlement addresses', () => {
  /** Lists as the API does, for the account in the request path. */
  async function list(scope: TenantScope, account: string, request: PageRequest = { page: 1, pageSize: 10 }) {
    return parts.settlementAddresses.listEffectiveTerms(
      await parts.accounts.requireAccountInPath(scope, account),
      request,
    );
  }

  it('shortens a wallet, whose key derives all addresses of the merchant', async () => {
    const holder = await createTenant(parts.platform.database);
    await parts.setTerms(holder, { network: OUTPUT_NETWORK, settlementAddress: 'wallet(LISTED)' });

    const { items } = await list(organizationScopeOf(holder), holder.accountIds[0]);

    expect(items.map(({ settlementAddress }) => settlementAddress)).toEqual(['wallet(LI…)']);
  });

  it('shows the terms in force per network, with version and date', async () => {
    const holder = await createTenant(parts.platform.database, 2);
    const [own, other] = holder.accountIds;
    await parts.setTerms(holder, { network: 'erc20' });
    await parts.setTerms(holder, { settlementAddress: OTHER_ADDRESS });
    await parts.setTerms(holder, {
      settlementAddress: ADDRESS,
      feeBasisPoints: 50,
      feeRecipient: OTHER_ADDRESS,
    });
    const last = await parts.setTerms(holder, { accountId: own, settlementAddress: OTHER_ADDRESS });

    const ask = (account: string, wanted?: PageRequest) => list(organizationScopeOf(holder), account, wanted);

    expect((await ask(own)).items).toMatchObject([
      { network: 'erc20', version: 1, accountId: null },
      {
        network: 'polygon',
        version: 1,
        accountId: own,
        settlementAddress: OTHER_ADDRESS,
        createdAt: last.createdAt,
      },
    ]);
    expect((await ask(other!)).items).toMatchObject([
      { network: 'erc20' },
      { network: 'polygon', version: 2, accountId: null, settlementAddress: ADDRESS, feeBasisPoints: 50 },
    ]);
    expect(await ask(other!, { page: 2, pageSize: 1 })).toMatchObject({
      total: 2,
      items: [{ network: 'polygon' }],
    });
    const byCursor = await readByCursor((request) => ask(own, request));
    expect(byCursor.map(({ network }) => network)).toEqual(['erc20', 'polygon']);
    const { id } = await parts.create(holder, { paymentOptions: [ASSET, OTHER_ASSET] });
    const { terms } = await parts.pointsOfSale.find(organizationScopeOf(holder), id);
    expect((await ask(own)).items.map((each) => each.id)).toEqual(
      ['erc20', 'polygon'].map((n) => terms.get(n)?.id),
    );
  });

  it('is hidden from other accounts and organizations', async () => {
    const [owner, stranger] = [
      await createTenant(parts.platform.database, 2),
      await createTenant(parts.platform.database),
    ];
    const [own, other] = owner.accountIds;
    const ofOwn = { ...organizationScopeOf(owner), accountId: own };

    expect(await list(ofOwn, own.toUpperCase())).toMatchObject({ items: expect.any(Array) });
    for (const account of [other!, stranger.accountIds[0], 'no-id'])
      await expect(list(ofOwn, account)).rejects.toMatchObject({ code: 'account_not_allowed' });
    for (const account of [stranger.accountIds[0], newId<string>(), 'no-id'])
      await expect(list(organizationScopeOf(owner), account)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('The set of invariants of points of sale', () => {
  it('detects accounts of another organization and missing counters', async () => {
    const { database } = parts.platform;
    const breaches = async () => {
      const counts: number[] = [];
      for (const { breaches: sql } of pointOfSaleInvariants) counts.push((await database.query(sql)).length);
      return counts;
    };
    const [owner, stranger] = [await createTenant(database), await createTenant(database)];
    await parts.create(owner);
    await parts.create(owner);
    await parts.setTerms(owner);
    expect(await breaches()).toEqual([0, 0, 0]);

    await expect(
      database.run(async () => {
        await database.queryInTransaction(
          'UPDATE point_of_sale.points_of_sale SET account_id = $1 WHERE organization_id = $2',
          [stranger.accountIds[0], owner.organizationId],
        );
        await database.queryInTransaction(
          `INSERT INTO point_of_sale.settlement_terms (id, organization_id, account_id, network, settlement_address,
             fee_recipient, fee_basis_points, set_by, created_at)
           VALUES (gen_random_uuid(), $1, $2, 'polygon', $3, $3, 1, 'test', now())`,
          [owner.organizationId, stranger.accountIds[0], ADDRESS],
        );
        expect(await breaches()).toEqual([2, 1, 1]);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
  });
});
