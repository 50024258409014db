import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cell } from '#shared/kernel/cell.js';
import { newId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { ASSET, FixedCatalogue, OTHER_ASSET } from '../../testing/fixed-catalogue.js';
import {
  CELL,
  ADDRESS,
  OTHER_ADDRESS,
  PointOfSaleParts,
  wholeOf,
} from '../../testing/point-of-sale-parts.js';
import { tenant } from '../../testing/tenants.js';
import { UncodedPointsOfSale } from '../work/uncoded-points-of-sale.js';
import { PostgresPointsOfSale } from './postgres-points-of-sale.js';

let parts: PointOfSaleParts;
/** Made outside every unit of work, so what runs in it has a connection of its own. */
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

describe('Finding a point of sale by its code', () => {
  it('answers a physical one whose account is there, and no code that is malformed or of another cell', async () => {
    const owner = await tenant(parts.platform.database, 2);
    // With terms it is kept in memory.
    await parts.setTerms(owner);
    const code = (id: PointOfSaleId) => parts.records.find(wholeOf(owner), id).then((point) => point.code!);
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
      new Cell('a', '0'),
    );

    for (const missing of [codes[1], id, 'A'.repeat(23), "' OR true --", codes[0].toLowerCase() + ' '])
      await expect(parts.pointsOfSale.findByCode(missing)).rejects.toMatchObject({ code: 'not_found' });
    await expect(elsewhere.findByCode(codes[0])).rejects.toMatchObject({ code: 'not_found' });
  });

  it('finds one that a release without codes has made, once its code is stored, which then never changes', async () => {
    const owner = await tenant(parts.platform.database);
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
    const work = new UncodedPointsOfSale(database, CELL);

    await work.storeCodes();
    const { code } = await parts.records.find(wholeOf(owner), id);
    await work.storeCodes();

    expect(await parts.pointsOfSale.findByCode(code!)).toMatchObject({ id });
    expect(await parts.records.find(wholeOf(owner), online)).toMatchObject({ code: null });
    await expect(
      database.query(`UPDATE point_of_sale.points_of_sale SET code = 'other' WHERE id = $1`, [id]),
    ).rejects.toThrow('keeps its code');
  });
});

describe('Finding a point of sale to collect on', () => {
  it('tells whose it is, what it takes and where the money goes', async () => {
    const owner = await tenant(parts.platform.database, 2);
    await parts.setTerms(owner, { feeRecipient: OTHER_ADDRESS, feeBasisPoints: 50 });
    const point = await parts.create(owner, {
      account: owner.accountIds[1],
      type: 'physical',
      merchant: { name: 'Shop', mcc: '5661' },
      paymentOptions: [ASSET.toUpperCase().replace('NPOLYGON_T0X', 'npolygon_t0x')],
      returnUrl: 'https://shop.example/thanks',
      frameOrigins: ['https://shop.example'],
      checkoutFirst: 'code',
      openAmount: true,
      till: { coinCode: 'EUR' },
    });

    const found = await parts.pointsOfSale.find(wholeOf(owner), point.id);

    expect(found).toEqual({
      id: point.id,
      organizationId: owner.organizationId,
      accountId: owner.accountIds[1],
      type: 'physical',
      merchant: { name: 'Shop', mcc: '5661' },
      paymentOptions: [ASSET],
      returnUrl: 'https://shop.example/thanks',
      frameOrigins: ['https://shop.example'],
      checkoutFirst: 'code',
      openAmount: true,
      tillCoin: 'EUR',
      terms: new Map([
        [
          'polygon',
          {
            id: expect.any(String),
            network: 'polygon',
            settlementAddress: ADDRESS,
            feeRecipient: OTHER_ADDRESS,
            feeBasisPoints: 50,
          },
        ],
      ]),
      version: await publishedVersion(point.id),
    });
  });

  it('takes an account’s own terms before its organization’s, network by network', async () => {
    const owner = await tenant(parts.platform.database, 2);
    const [own, other] = owner.accountIds;
    await parts.setTerms(owner, { accountId: own, settlementAddress: OTHER_ADDRESS });
    await parts.setTerms(owner, { settlementAddress: ADDRESS });
    await parts.setTerms(owner, { network: 'erc20', settlementAddress: ADDRESS });
    const mine = await parts.create(owner, { paymentOptions: [ASSET, OTHER_ASSET] });
    const theirs = await parts.create(owner, { account: other! });

    const find = async (id: PointOfSaleId) => (await parts.pointsOfSale.find(wholeOf(owner), id)).terms;

    expect((await find(mine.id)).get('polygon')?.settlementAddress).toBe(OTHER_ADDRESS);
    expect((await find(mine.id)).get('erc20')?.settlementAddress).toBe(ADDRESS);
    expect((await find(theirs.id)).get('polygon')?.settlementAddress).toBe(ADDRESS);
  });

  it('shows by the published version that terms have changed, to every replica', async () => {
    const owner = await tenant(parts.platform.database);
    const stranger = await tenant(parts.platform.database);
    await parts.setTerms(owner);
    const point = await parts.create(owner);
    const foreign = await parts.create(stranger);
    const before = await parts.pointsOfSale.find(wholeOf(owner), point.id);
    const foreignVersion = await publishedVersion(foreign.id);
    expect(await publishedVersion(point.id)).toBe(before.version);

    await parts.setTerms(owner, { settlementAddress: OTHER_ADDRESS });

    expect(await publishedVersion(point.id)).not.toBe(before.version);
    expect(await publishedVersion(foreign.id)).toBe(foreignVersion);
    expect(await parts.pointsOfSale.find(wholeOf(owner), point.id)).toBe(before);
    parts.pointsOfSale.forget(point.id);
    const after = await parts.pointsOfSale.find(wholeOf(owner), point.id);
    expect(after.terms.get('polygon')?.settlementAddress).toBe(OTHER_ADDRESS);
    expect(after.version).toBe(await publishedVersion(point.id));
  });

  it('has the underpayment tolerance of its account, whose change the published version shows', async () => {
    const owner = await tenant(parts.platform.database, 2);
    await parts.setTerms(owner);
    const point = await parts.create(owner);
    const sibling = await parts.create(owner, { account: owner.accountIds[1] });
    const found = () => parts.pointsOfSale.find(wholeOf(owner), point.id);
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

  it('shows by the published version that it was changed, to every replica', async () => {
    const owner = await tenant(parts.platform.database);
    await parts.setTerms(owner);
    const point = await parts.create(owner);
    const other = await parts.create(owner);
    const replica = new PostgresPointsOfSale(parts.platform.database, new FixedCatalogue(), CELL);
    const before = await replica.find(wholeOf(owner), point.id);
    const otherVersion = await publishedVersion(other.id);

    await parts.change(owner, point.id, { merchant: { name: 'Store' } });

    expect((await parts.pointsOfSale.find(wholeOf(owner), point.id)).merchant).toEqual({ name: 'Store' });
    expect(await replica.find(wholeOf(owner), point.id)).toBe(before);
    expect(await publishedVersion(point.id)).not.toBe(before.version);
    expect(await publishedVersion(other.id)).toBe(otherVersion);
    replica.forget(point.id);
    expect((await replica.find(wholeOf(owner), point.id)).merchant).toEqual({ name: 'Store' });
  });

  it('moves the version also for a point of sale that is born while terms change', async () => {
    const owner = await tenant(parts.platform.database);
    await parts.setTerms(owner);
    const { database } = parts.platform;
    const seen: string[] = [];

    const point = await database.run(async () => {
      await parts.setTerms(owner, { settlementAddress: OTHER_ADDRESS });
      // On a connection of its own, so committed before the change of terms is.
      const born = await outside.runInAsyncScope(() => parts.create(owner));
      seen.push((await outside.runInAsyncScope(() => publishedVersion(born.id)))!);
      return born;
    });

    expect(await publishedVersion(point.id)).not.toBe(seen[0]);
  });

  it('does not remember that terms are missing', async () => {
    const owner = await tenant(parts.platform.database);
    const point = await parts.create(owner);
    expect((await parts.pointsOfSale.find(wholeOf(owner), point.id)).terms.size).toBe(0);

    await parts.setTerms(owner);

    expect((await parts.pointsOfSale.find(wholeOf(owner), point.id)).terms.size).toBe(1);
  });

  it('answers for another tenant’s, another account’s and a missing one alike, also when it is remembered', async () => {
    const owner = await tenant(parts.platform.database, 2);
    const stranger = await tenant(parts.platform.database);
    await parts.setTerms(owner);
    const point = await parts.create(owner);
    await parts.pointsOfSale.find(wholeOf(owner), point.id);
    const [own, other] = owner.accountIds;
    const ask = (scope: Parameters<typeof parts.pointsOfSale.find>[0], id = point.id) =>
      parts.pointsOfSale.find(scope, id).catch((error: Error) => error.message);

    const foreign = await ask(wholeOf(stranger));

    expect(foreign).toMatch(/^No such point of sale/);
    expect(await ask({ ...wholeOf(owner), accountId: other! })).toBe(foreign);
    expect(await ask(wholeOf(owner), newId())).toBe(foreign);
    expect(await ask({ ...wholeOf(owner), accountId: own })).toMatchObject({ id: point.id });
  });
});
