import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountId, newId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';

let world: RefundsWorld;
beforeAll(async () => {
  world = await RefundsWorld.open();
  await world.fund();
});
afterAll(() => world.close());

describe('A job that cancels all pending refunds as it lists them', () => {
  it('reaches each of them by cursors, but none of another account', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1)
      made.push((await world.create({ of: world.request(), claim: {} })).refund.id);
    const { listed, cancel } = world.process();
    const other = { ...world.scope, accountId: newId<AccountId>() };
    expect((await listed.page(other, {}, { page: 1, pageSize: 5 })).total).toBe(0);

    const [newest] = (await listed.page(world.scope, {}, { page: 1, pageSize: 1 })).items;
    const ofOne = { paymentRequestIds: [newest!.paymentRequestId] };
    expect((await listed.page(world.scope, ofOne, { page: 1, pageSize: 5 })).total).toBe(1);

    const met = await readByCursor(async (request) => {
      const page = await listed.page(world.scope, { status: 'pending' }, request);
      for (const { id } of page.items) await cancel.cancel(world.scope, id);
      return page;
    }, 2);

    expect(met.map(({ id }) => id)).toEqual(made.reverse());
    const left = await listed.page(world.scope, { status: 'pending' }, { page: 1, pageSize: 50 });
    expect(left.total).toBe(0);
  });
});
