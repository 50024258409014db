import type { Random } from '../random.js';
import { dataOf, keyOf } from './calls.js';
import { remember, someRequest, type ShownRequest } from './known-requests.js';
import { memoryOf } from './memory.js';
import { somePointOfSale } from './points-of-sale.js';
import { requestPath } from './request-reads.js';
import type { Act, Merchant } from './world.js';

type Query = Record<string, string>;

/** A read of something that the merchant wonders about. */
function reading(
  name: string,
  weight: number,
  wanted: (merchant: Merchant, random: Random) => readonly [path: string, query?: Query] | undefined,
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const [path, query = {}] = wanted(merchant, random) ?? [];
      if (path === undefined) return false;
      await world.call({ method: 'GET', path, query, as: keyOf(merchant, random) });
      return true;
    },
  };
}

const explain = reading('ask why a request is or is not paid', 2, (merchant, random) => {
  const request = someRequest(merchant, random);
  return request && [`${requestPath(request)}/explain`];
});

const explainTransaction = reading('ask what became of a transaction', 1, (merchant, random) => {
  const transactions = memoryOf(merchant).transactions.all();
  return transactions.length === 0 ? undefined : [`/v1/explain/${random.oneOf(transactions).id}`];
});

const lists = reading('list accounts and points of sale', 1, (_merchant, random) => [
  random.oneOf(['/v1/account', '/v1/pos']),
  { page: '1', page_size: String(random.whole(1, 10)) },
]);

/** Software that has lost an answer finds there what it created without knowing. */
const findUnknown: Act = {
  name: 'take requests of a list into memory',
  weight: 1,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    const call = { method: 'GET', path: `/v1/pos/${pos.id}/payment-request` } as const;
    const query = { page: '1', page_size: '3' };
    const answer = await world.call({ ...call, query, as: merchant.credentials[0]! });
    for (const shown of dataOf<{ data: ShownRequest[] }>(answer)?.data ?? [])
      remember(world, merchant, shown, { posId: pos.id, accountId: pos.accountId, way: wayOf(shown) });
    return true;
  },
};

function wayOf({ session_id }: ShownRequest): 'checkout' | 'direct' {
  return session_id === undefined ? 'direct' : 'checkout';
}

export const bookkeepingActs: readonly Act[] = [explain, explainTransaction, lists, findUnknown];
