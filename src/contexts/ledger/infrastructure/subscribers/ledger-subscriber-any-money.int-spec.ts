import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { AnyMoney } from '../../testing/any-money.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

const balancesOf = async ({ owner }: AnyMoney) =>
  new Map(
    (
      await ledger.database.query<{ name: string; amount: bigint }>(
        `SELECT ledger_account || ' ' || CASE WHEN unique_asset_id LIKE '%ETH' THEN 'coin' ELSE 'token' END AS name, amount
         FROM ledger.balances WHERE account_id = $1`,
        [owner.accountId],
      )
    ).map(({ name, amount }) => [name, amount]),
  );

describe('The stored books of whatever money comes, is settled, refunded and undone', () => {
  it.each([1, 2])('say what stands, and break no invariant (seed %d)', async (seed) => {
    const random = new SeededRandom(seed);
    const money = new AnyMoney(random);
    const runners = [ledger.runner(), ledger.runner()];
    const batches = Array.from({ length: 25 }, () => money.step());
    for (let next = 0; next < batches.length;) {
      // One reading of the log takes several steps, or one.
      const read = batches.slice(next, (next += random.whole(1, 6))).flat();
      await ledger.publish(read);
      await ledger.untilRead(...runners);
      expect(await ledger.breaches()).toEqual({});
    }

    const balances = await balancesOf(money);
    const stands = (name: string) => balances.get(name) ?? 0n;
    const { came: _, cameToWallet: __, ...expected } = money.expected();
    expect({
      custody: stands('custody token'),
      inFlight: stands('in_flight token'),
      delivered: stands('delivered token'),
      feesDelivered: stands('fees_delivered token'),
      serviceFees: stands('service_fees token'),
      float: stands('refund_float token'),
      floatOfCoin: stands('refund_float coin'),
      gasSpent: stands('gas_spent coin'),
    }).toEqual(expected);
    expect([...balances.values()].reduce((sum, amount) => sum + amount, 0n)).toBe(0n);
  });
});
