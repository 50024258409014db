import type { Random } from '../random.js';
import { hasStatus } from './answers.js';
import { memoryOf, selectionOf, type KnownRefund } from './memory.js';
import { moneyMemoryOf } from './money-memory.js';
import type { Act, Merchant, World } from './world.js';

/** Such an address is none of a payer. */
const REFUSED_ADDRESSES = ['0x0000000000000000000000000000000000000000', '0x12', 'bc1qexample', ''];

/** The payer of a refund at its page. */
export const refundClaimActs: readonly Act[] = [
  {
    name: 'name an address at the claim page',
    weight: 3.6,
    async attempt(world, merchant, random) {
      const { named } = moneyMemoryOf(merchant);
      const isOpen = ({ id, status }: KnownRefund) => status === 'pending' && named.find(id) === undefined;
      const claims = memoryOf(merchant)
        .refunds.all()
        .filter((refund) => refund.claimUrl !== undefined && (isOpen(refund) || random.chance(0.05)));
      if (claims.length === 0) return false;
      await nameAddress(world, merchant, random, random.oneOf(claims));
      return true;
    },
  },
  {
    name: 'look at the claim page',
    weight: 0.9,
    async attempt(world, merchant, random) {
      const claims = memoryOf(merchant)
        .refunds.all()
        .flatMap(({ claimUrl }) => claimUrl ?? []);
      if (claims.length === 0) return false;
      const path = random.chance(0.95) ? new URL(random.oneOf(claims)).pathname : '/refund/0unknown';
      await world.call({ method: 'GET', path, from: `10.9.0.${random.whole(1, 254)}` });
      return true;
    },
  },
];

/** The page shows the address again, and is confirmed; some payers leave it there, and some confirm twice. */
export async function nameAddress(
  world: World,
  merchant: Merchant,
  random: Random,
  refund: KnownRefund,
): Promise<void> {
  if (refund.claimUrl === undefined) return;
  const path = new URL(refund.claimUrl).pathname;
  const from = `10.9.${random.whole(0, 255)}.${random.whole(1, 254)}`;
  const page = { path, from, headers: { 'sec-fetch-site': 'same-origin' } } as const;
  const typed = { refund_to_address: addressOf(world, merchant, random) };
  if (random.chance(0.3)) await world.call({ ...page, method: 'GET' });
  if (random.chance(0.7)) await world.call({ ...page, method: 'POST', form: typed });
  if (random.chance(0.1)) return;
  const confirmed = { ...typed, confirmed: 'true' };
  const answer = await world.call({ ...page, method: 'POST', form: confirmed });
  if (hasStatus(answer, 303)) moneyMemoryOf(merchant).named.put({ id: refund.id });
  // A claim that was not used in time, or whose refund was cancelled, opens nothing any more.
  if (hasStatus(answer, 404)) refund.status = 'failed';
  else if (random.chance(0.1)) await world.call({ ...page, method: 'POST', form: confirmed });
}

/** Where the payer wants the money; seldom what no refund can be paid to. */
export function addressOf(world: World, merchant: Merchant, random: Random): string {
  if (random.chance(0.9)) return random.oneOf(world.network.strangers);
  const shown = memoryOf(merchant)
    .requests.all()
    .flatMap((request) => selectionOf(request)?.address ?? []);
  const { floatAddress = '' } = moneyMemoryOf(merchant);
  return random.oneOf([...REFUSED_ADDRESSES, floatAddress, ...shown.slice(-1)]);
}
