import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { OUTPUT_COIN, OUTPUT_NETWORK } from '#contexts/networks/testing/output-chain-type.js';
import { NETWORK, RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';

const PAYER = `out1${'0a'.repeat(19)}`;
const UNDONE = new Error('undone');

let world: RefundsWorld;
/** Three refunds paid by the merchant's own wallet. */
const merchantRefunds: string[] = [];
/** Three refunds paid from the float. */
const floatRefunds: string[] = [];

beforeAll(async () => {
  world = await RefundsWorld.openDelivering();
  await world.fund();
  for (let n = 0; n < 3; n += 1) {
    const of = world.request({}, { asset: OUTPUT_COIN, asked: 5_000n, paid: 5_000n });
    const paidTransactionHash = `${n}`.repeat(64);
    merchantRefunds.push((await world.create({ of, refundToAddress: PAYER, paidTransactionHash })).refund.id);
    floatRefunds.push((await world.create({ of: world.request() })).refund.id);
  }
});
afterAll(() => world.close());

/**
 * Assigns each refund to the organization at the same index, then calls `take` and rolls everything back.
 * @returns the result of `take`
 */
async function takeAsOrganizations<T>(
  ids: string[],
  organizations: string[],
  table: string,
  take: () => Promise<T>,
) {
  let result: T | undefined;
  const reading = world.platform.database.run(async () => {
    await world.rows('SET LOCAL session_replication_role = replica');
    await world.rows(
      `UPDATE settlement.${table} t SET organization_id = g.organization
       FROM unnest($1::uuid[], $2::uuid[]) AS g (id, organization) WHERE t.id = g.id`,
      [ids, organizations],
    );
    result = await take();
    throw UNDONE;
  });
  await expect(reading).rejects.toBe(UNDONE);
  return result!;
}

async function takeFollowed(): Promise<string[]> {
  const refunds = await world.process().refunds.takeMerchantRefunds(OUTPUT_NETWORK, 2);
  return refunds.map(({ snapshot }) => snapshot.id).sort();
}

async function takeDue(): Promise<string[]> {
  return (await world.process().payouts.listDue(NETWORK, 2)).map(({ id }) => id).sort();
}

/** Three organization ids in ascending order. */
const organizations = () => [newId(), newId(), newId()].sort();

describe('An organization with many refunds', () => {
  it('has its second refund taken after the first of another organization', async () => {
    const [one, other] = organizations();
    const whose = [one!, one!, other!];
    expect(await world.process().payouts.listDue(OUTPUT_NETWORK, 2)).toEqual([]);

    expect(await takeAsOrganizations(merchantRefunds, whose, 'refunds', takeFollowed)).toEqual(
      [merchantRefunds[0], merchantRefunds[2]].sort(),
    );
    expect(await takeAsOrganizations(floatRefunds, whose, 'refund_float_payouts', takeDue)).toEqual(
      [floatRefunds[0], floatRefunds[2]].sort(),
    );
  });
});

describe('The work on refunds of more organizations than one query returns', () => {
  it('follows the merchant refund of each organization in turn', async () => {
    const [first, second] = await takeAsOrganizations(
      merchantRefunds,
      organizations(),
      'refunds',
      async () => [await takeFollowed(), await takeFollowed()],
    );
    expect(first).toEqual([merchantRefunds[0], merchantRefunds[1]].sort());
    expect(second).toContain(merchantRefunds[2]);
  });

  it('pays the refunds first that have waited longest', async () => {
    const first = await takeAsOrganizations(
      floatRefunds,
      organizations().reverse(),
      'refund_float_payouts',
      takeDue,
    );
    expect(first).toEqual([floatRefunds[0], floatRefunds[1]].sort());
  });
});
