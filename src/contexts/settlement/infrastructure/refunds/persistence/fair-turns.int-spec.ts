import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { OUTPUT_COIN, OUTPUT_NETWORK } from '#contexts/networks/testing/output-family.js';
import { NETWORK, RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';

const PAYER = `out1${'0a'.repeat(19)}`;
const UNDONE = new Error('undone');

let world: RefundsWorld;
beforeAll(async () => {
  world = await RefundsWorld.openDelivering();
  await world.fund();
});
afterAll(() => world.close());

/** The newest of three is another organization's. @returns their ids, and the two that are taken first */
async function taken(ids: string[], table: string, take: () => Promise<{ id: string }[]>) {
  let first: string[] = [];
  const reading = world.platform.database.run(async () => {
    await world.rows('SET LOCAL session_replication_role = replica');
    await world.rows(`UPDATE settlement.${table} SET organization_id = $1 WHERE id = $2`, [newId(), ids[2]]);
    first = (await take()).map(({ id }) => id);
    throw UNDONE;
  });
  await expect(reading).rejects.toBe(UNDONE);
  return first.sort();
}

describe('One organization with much to do', () => {
  it('has its next refund by its own wallet followed after the first of another one', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const of = world.request({}, { asset: OUTPUT_COIN, asked: 5_000n, paid: 5_000n });
      const paidTransactionHash = `${n}`.repeat(64);
      ids.push((await world.create({ of, refundToAddress: PAYER, paidTransactionHash })).refund.id);
    }
    const { refunds } = world.process();

    const first = await taken(ids, 'refunds', async () =>
      (await refunds.takeFollowed(OUTPUT_NETWORK, 2)).map(({ snapshot }) => snapshot),
    );
    expect(first).toEqual([ids[0], ids[2]].sort());
  });

  it('has its next refund paid after the first of another one', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await world.create({ of: world.request() })).refund.id);
    const { payouts } = world.process();

    const first = await taken(ids, 'refund_float_payouts', () => payouts.due(NETWORK, 2));
    expect(first).toEqual([ids[0], ids[2]].sort());
  });
});
