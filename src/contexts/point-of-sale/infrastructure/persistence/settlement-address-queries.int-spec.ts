import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import type { PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { OUTPUT_NETWORK } from '#contexts/networks/testing/output-family.js';
import { ASSET, OTHER_ASSET } from '../../testing/fixed-catalogue.js';
import { ADDRESS, OTHER_ADDRESS, PointOfSaleParts, wholeOf } from '../../testing/point-of-sale-parts.js';
import { tenant, type Tenant } from '../../testing/tenants.js';

let parts: PointOfSaleParts;
let owner: Tenant;
let stranger: Tenant;
const page: PageRequest = { page: 1, pageSize: 10 };

/** Lists as the API does, for the account that a path names. */
async function list(scope: Scope, account: string, request = page) {
  return parts.settlementAddresses.inForce(await parts.accounts.existingInPath(scope, account), request);
}

beforeAll(async () => {
  parts = await PointOfSaleParts.open();
  owner = await tenant(parts.platform.database, 2);
  stranger = await tenant(parts.platform.database);
});
afterAll(() => parts.close());

describe('Listing settlement addresses', () => {
  it('shortens a wallet, whose key computes all addresses that the merchant ever shows', async () => {
    const holder = await tenant(parts.platform.database);
    await parts.setTerms(holder, { network: OUTPUT_NETWORK, settlementAddress: 'wallet(LISTED)' });

    const { items } = await list(wholeOf(holder), holder.accountIds[0]);

    expect(items.map(({ settlementAddress }) => settlementAddress)).toEqual(['wallet(LI…)']);
  });

  it('shows for each network what an address would commit to now, its version and since when', async () => {
    const holder = await tenant(parts.platform.database, 2);
    const [own, other] = holder.accountIds;
    await parts.setTerms(holder, { network: 'erc20' });
    await parts.setTerms(holder, { settlementAddress: OTHER_ADDRESS });
    await parts.setTerms(holder, {
      settlementAddress: ADDRESS,
      feeBasisPoints: 50,
      feeRecipient: OTHER_ADDRESS,
    });
    const last = await parts.setTerms(holder, { accountId: own, settlementAddress: OTHER_ADDRESS });

    const ask = (account: string, wanted = page) => list(wholeOf(holder), account, wanted);

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
    const { terms } = await parts.pointsOfSale.find(wholeOf(holder), id);
    expect((await ask(own)).items.map((each) => each.id)).toEqual(
      ['erc20', 'polygon'].map((n) => terms.get(n)?.id),
    );
  });

  it('shows an account its own alone, and to an organization others’ are missing', async () => {
    const [own, other] = owner.accountIds;
    const ofOwn = { ...wholeOf(owner), accountId: own };

    expect(await list(ofOwn, own.toUpperCase())).toMatchObject({ items: expect.any(Array) });
    for (const account of [other!, stranger.accountIds[0], 'no-id'])
      await expect(list(ofOwn, account)).rejects.toMatchObject({ code: 'account_not_allowed' });
    for (const account of [stranger.accountIds[0], newId<string>(), 'no-id'])
      await expect(list(wholeOf(owner), account)).rejects.toMatchObject({ code: 'not_found' });
  });
});
