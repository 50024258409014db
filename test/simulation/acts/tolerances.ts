import { assetOf } from './amounts.js';
import { dataOf, hex, keyOf } from './calls.js';
import { pay, withAddress } from './payable.js';
import { createRequest } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';
import { readRequest } from './request-reads.js';
import type { Act } from './world.js';

/** Basis points of the shortfall, and the most that may be missing: within both bounds, and beyond the one or the other. */
const SHORTFALLS = [
  [300, '1000000'],
  [300, '0.000001'],
  [900, '1000000'],
] as const;

/** A shortfall must keep within both bounds of what the account tolerates. */
export const toleranceActs: readonly Act[] = [
  {
    name: 'pay less where some of it is tolerated',
    weight: 2,
    async attempt(world, merchant, random) {
      const pos = await somePointOfSale(world, merchant, random);
      if (pos === undefined) return false;
      const [missing, at_most] = random.oneOf(SHORTFALLS);
      const body = {
        name: `store ${hex(random, 2)}`,
        underpayment_tolerance: { basis_points: 500, at_most },
      };
      const path = `/v1/account/${pos.accountId}`;
      const as = keyOf(merchant, random);
      if (dataOf(await world.call({ method: 'PUT', path, body, as })) === undefined) return true;
      const asset = assetOf(world, random.oneOf(pos.config.payment_options));
      const request = await createRequest(world, merchant, random, pos, { asset });
      const found = request && (await withAddress(world, request, random));
      if (found === undefined) return true;
      const { amount } = found.selection;
      pay(world, merchant, random, found, { amount: amount - (amount * BigInt(missing)) / 10_000n });
      const look = async () => void (await readRequest(world, request!, merchant.credentials[0]!));
      world.later(random.whole(600, 2_400) * 1_000, look);
      return true;
    },
  },
];
