import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type AccountId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { openPaymentLinks } from '../../testing/links/open-payment-links.js';

let bench: Awaited<ReturnType<typeof openPaymentLinks>>;

beforeEach(async () => {
  bench = await openPaymentLinks();
  // The network is read, so requests can be created on it.
  await bench.follow();
});

afterEach(() => bench.close());

describe('Payment links of a point of sale', () => {
  it('are listed newest first, page by page', async () => {
    const links = [await bench.link(), await bench.link(), await bench.link()];
    const { id: pointOfSaleId, organizationId } = bench.point;
    const scope = { organizationId, accountId: null };

    const page = (number: number) => bench.offered.list(scope, pointOfSaleId, { page: number, pageSize: 2 });

    expect((await page(1)).items.map(({ link }) => link.id)).toEqual([links[2]!.id, links[1]!.id]);
    const last = await page(2);
    expect([last.total, last.items.map(({ link }) => link)]).toEqual([3, [links[0]]]);
    expect(await page(3)).toEqual({ total: 3, items: [] });
    const byCursor = await readByCursor((request) => bench.offered.list(scope, pointOfSaleId, request));
    expect(byCursor.map(({ link }) => link.id)).toEqual(links.map(({ id }) => id).reverse());
  });

  it('belong to their tenant alone', async () => {
    const link = await bench.link();
    const { organizationId } = bench.point;
    const foreign = await bench.pointsOfSale.open();
    const strangers = [
      { organizationId: foreign.organizationId, accountId: null },
      { organizationId, accountId: newId<AccountId>() },
    ];
    const pointOfSaleId = link.pointOfSaleId;

    for (const scope of strangers) {
      const creates = { scope, pointOfSaleId, amount: '1', coinCode: 'USDX' };
      await expect(bench.offered.list(scope, pointOfSaleId, { page: 1, pageSize: 50 })).rejects.toMatchObject(
        { code: 'not_found' },
      );
      await expect(bench.offered.setActive(scope, pointOfSaleId, link.id, false)).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(bench.createLink.execute(creates)).rejects.toMatchObject({ code: 'not_found' });
    }
    const scope = { organizationId, accountId: null };
    const switched = bench.offered.setActive(scope, foreign.id, link.id, false);

    await expect(switched).rejects.toMatchObject({ code: 'not_found' });
    const stillActive = {
      code: link.code,
      payerSecret: 'p'.repeat(32),
      forceNew: false,
      caller: '203.0.113.7',
    };
    expect((await bench.openLink.execute(stillActive)).status).toBe('created');
  });

  it('are refused on a physical one, whose one open request a stranger could end', async () => {
    const till = await bench.pointsOfSale.open({ type: 'physical' });

    const refused = bench.link({}, till);

    await expect(refused).rejects.toMatchObject({ kind: 'conflict', code: 'state_conflict' });
    const scope = { organizationId: till.organizationId, accountId: null };
    const listed = await bench.offered.list(scope, till.id, { page: 1, pageSize: 50 });
    expect(listed.total).toBe(0);
  });

  it('are named by the requests that they opened, and by no other', async () => {
    const link = await bench.link();

    const opened = await bench.openLink.execute({
      code: link.code,
      payerSecret: 'p'.repeat(32),
      forceNew: false,
      caller: '203.0.113.7',
    });

    expect((await bench.read(opened)).checkout).toMatchObject({
      paymentLinkId: link.id,
      linkCode: link.code,
    });
    expect((await bench.read(await bench.request())).checkout).toBeUndefined();
  });

  it('refuse a price that nothing could be paid with', async () => {
    await expect(bench.link({ amount: '0.001' })).rejects.toMatchObject({
      errors: [{ field: 'amount', rule: 'minimum_amount' }],
    });
  });
});
