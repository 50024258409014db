import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { anyCredits } from '../../testing/any-credits.js';
import type { Movement } from '../../domain/movement.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await openLedger();
});
afterEach(() => ledger.close());

/** One line of several in which each keeps its order, as request after request goes on. */
function interleaved(random: SeededRandom, lines: Movement[][]): Movement[] {
  const left = lines.map((line) => [...line]).filter((line) => line.length > 0);
  const all: Movement[] = [];
  while (left.length > 0) {
    const at = random.whole(0, left.length - 1);
    all.push(left[at]!.shift()!);
    if (left[at]!.length === 0) left.splice(at, 1);
  }
  return all;
}

describe('The books of many requests that are paid, get deposits and lose them', () => {
  it.each([11, 12, 13])('say to the unit what stands on the chain (seed %d)', async (seed) => {
    const random = new SeededRandom(seed);
    const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };
    const histories = Array.from({ length: 60 }, () => anyCredits(random, owner));
    const movements = interleaved(
      random,
      histories.map((history) => history.movements),
    );

    const runners = [ledger.runner(), ledger.runner()];
    for (let read = 0; read < movements.length;) {
      const batch = movements.slice(read, (read += random.whole(1, 90)));
      // Published again, as a publisher might that was not sure.
      await ledger.happen(random.chance(0.5) ? batch : [...batch, ...batch]);
      await ledger.untilRead(...runners);
    }

    const stands = histories.flatMap(({ remaining }) => remaining).reduce((sum, amount) => sum + amount, 0n);
    const fees = histories
      .flatMap(({ remaining, feeBasisPoints }) =>
        remaining.map((amount) => (amount * BigInt(feeBasisPoints)) / 10_000n),
      )
      .reduce((sum, fee) => sum + fee, 0n);
    expect(
      await ledger.database.query(
        'SELECT ledger_account, amount FROM ledger.balances ORDER BY ledger_account',
      ),
    ).toEqual([
      { ledgerAccount: 'custody', amount: stands },
      { ledgerAccount: 'merchant_payable', amount: fees - stands },
      { ledgerAccount: 'service_fees', amount: -fees },
    ]);
    expect(
      await ledger.database.query(
        'SELECT sum(gross_amount) AS gross, sum(net_amount) AS net FROM ledger.transactions',
      ),
    ).toEqual([{ gross: stands, net: stands - fees }]);
    expect(await ledger.queries.page({ ...owner }, { created: {} }, { page: 1, pageSize: 5 })).toMatchObject({
      total: movements.length,
    });
  });
});
