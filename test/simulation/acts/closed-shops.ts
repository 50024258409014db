import type { Random } from '../random.js';
import { closeAccount, foundAccount, MOST_ACCOUNTS } from './accounts.js';
import { createCheckout } from './checkouts.js';
import { createLink } from './payment-links.js';
import { createRequest } from './payment-requests.js';
import { Desk } from './people/desk.js';
import { openPointOfSale } from './points-of-sale.js';
import { pairingCode, sendCode } from './till-phones.js';
import type { Act } from './world.js';

/** Accounts that end in the middle of something. */
export const closedShopActs: readonly Act[] = [
  {
    name: 'close a shop that has a phone',
    weight: 1,
    async attempt(world, merchant, random) {
      const desk = merchant.accounts.length < MOST_ACCOUNTS ? await Desk.open(world, merchant) : undefined;
      const account = desk && (await foundAccount(world, merchant, random));
      const pos = account && (await openPointOfSale(world, merchant, random, 'physical', account));
      const code = pos && (await pairingCode(world, desk!, pos.id));
      const phone = code && (await sendCode(world, merchant, random, code));
      if (!phone) return account !== undefined;
      const ask = () =>
        world.call({ method: 'GET', path: `/v1/pos/${phone.posId}/payment-request`, as: phone.credential });
      await ask();
      await closeAccount(world, merchant, random, account!);
      // The second time with no token left.
      for (let times = 2; times > 0; times -= 1) await ask();
      return true;
    },
  },
  {
    name: 'close a shop that sells something at that moment',
    weight: 1.5,
    async attempt(world, merchant, random) {
      const account =
        merchant.accounts.length < MOST_ACCOUNTS ? await foundAccount(world, merchant, random) : undefined;
      const pos = account && (await openPointOfSale(world, merchant, random, 'online', account));
      if (pos === undefined) return account !== undefined;
      const sell = random.oneOf<(random: Random) => Promise<unknown>>([
        (own) => createRequest(world, merchant, own, pos, {}),
        (own) => createCheckout(world, merchant, own, pos),
        (own) => createLink(world, merchant, own, pos),
      ]);
      const selling = Array.from({ length: random.whole(1, 3) }, () => random.branch());
      const closing = random.branch();
      await Promise.all([...selling.map(sell), closeAccount(world, merchant, closing, account!)]);
      return true;
    },
  },
];
