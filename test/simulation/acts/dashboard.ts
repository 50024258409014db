import type { Random } from '../random.js';
import { monthBefore } from './ledger.js';
import { memoryOf } from './memory.js';
import { Desk } from './people/desk.js';
import { changePerson, invite } from './people/team.js';
import type { Act, Merchant, World } from './world.js';

const LISTS = [
  ...['/app', '/app/payments', '/app/transactions', '/app/settlements', '/app/refunds', '/app/subscriptions'],
  ...[
    '/app/links',
    '/app/webhooks',
    '/app/points-of-sale',
    '/app/accounts',
    '/app/statements',
    '/app/periods',
  ],
  ...['/app/api-keys', '/app/team', '/app/audit-log', '/app/notices', '/app/account', '/app/branding'],
];
const FILES = ['transactions.csv', 'statements.csv', 'journal.csv', 'journal-xero.csv'];
const ZONES = [
  'UTC',
  'Europe/Lisbon',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'Nowhere/Town',
];

/** The owner at the dashboard. Who has signed in does what is drawn within the next hour without signing in again. */
export const dashboardActs: readonly Act[] = [
  seated('look around the dashboard', 0.5, async (_world, merchant, desk, random) => {
    for (let left = random.whole(2, 4); left > 0; left -= 1)
      await desk.get(random.chance(0.6) ? random.oneOf(LISTS) : somePage(merchant, random));
  }),
  seated('search in the dashboard', 0.2, async (_world, merchant, desk, random) => {
    await desk.get('/app/search', { q: someWord(merchant, random) });
  }),
  seated('export from the dashboard', 0.2, async (world, _merchant, desk, random) => {
    const file = random.oneOf(FILES);
    const month = monthBefore(world.now(), random.whole(0, 1));
    await desk.get(`/app/${file}`, file === 'transactions.csv' ? {} : { month });
  }),
  seated('close or reopen a month', 0.2, async (world, _merchant, desk, random) => {
    const act = random.chance(0.6) ? 'close' : 'reopen';
    await desk.set(`/app/periods/${act}`, {
      period: monthBefore(world.now(), random.oneOf([1, 1, 1, 0, 2])),
    });
  }),
  seated('look after the team', 0.12, async (world, merchant, desk, random) => {
    if (random.chance(0.5)) await invite(world, merchant, desk, random);
    else await changePerson(merchant, desk, random);
  }),
  seated('set the time zone', 0.1, async (_world, _merchant, desk, random) => {
    await desk.set('/app/accounts/time-zone', { time_zone: random.oneOf(ZONES) });
  }),
  seated('set the currency of the books', 0.12, async (_world, merchant, desk, random) => {
    const form = { account_id: random.oneOf(merchant.accounts).accountId };
    const currency = random.oneOf(['EUR', 'USD', 'X', '']);
    await desk.set('/app/statements/currency', {
      ...form,
      ...(currency === '' ? { none: 'on' } : { currency }),
    });
  }),
  seated('set the branding', 0.1, async (_world, merchant, desk, random) => {
    const { accountId } = random.oneOf(merchant.accounts);
    const path = random.chance(0.5) ? '/app/branding' : `/app/accounts/${accountId}/branding`;
    await desk.set(path, {
      ...{ display_name: `Shop ${random.whole(1, 99)}`, tax_id: 'PT123456789' },
      ...{ postal_address: 'Rua 1\nLisboa', colour: random.oneOf(['#1d4ed8', '#000000', 'blue']) },
    });
  }),
];

/** An act of the owner. @param act what happens once the owner is signed in */
function seated(
  name: string,
  weight: number,
  act: (world: World, merchant: Merchant, desk: Desk, random: Random) => Promise<unknown>,
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const desk = await Desk.open(world, merchant);
      if (desk === undefined) return false;
      return (await act(world, merchant, desk, random)) !== false;
    },
  };
}

/** The page of something that the merchant knows. */
function somePage(merchant: Merchant, random: Random): string {
  const memory = memoryOf(merchant);
  const pages = [
    ...memory.requests.all().map(({ id }) => `/app/payments/${id}`),
    ...memory.refunds.all().map(({ id }) => `/app/refunds/${id}`),
    ...memory.subscriptions.all().map(({ id }) => `/app/subscriptions/${id}`),
    ...memory.webhooks.all().map(({ id }) => `/app/webhooks/${id}`),
    ...memory.links.all().map(({ id }) => `/app/links/${id}`),
    ...memory.pointsOfSale.all().map(({ id }) => `/app/points-of-sale/${id}`),
    ...merchant.accounts.map(({ accountId }) => `/app/accounts/${accountId}`),
  ];
  return random.oneOf(pages);
}

/** Words that owners type: ids, references, addresses and hashes. */
function someWord(merchant: Merchant, random: Random): string {
  const { requests, transactions, refunds } = memoryOf(merchant);
  const words = [
    ...requests.all().flatMap(({ id, referenceId }) => [id, ...(referenceId ?? [])]),
    ...requests.all().flatMap(({ selections }) => selections.map(({ address }) => address)),
    ...[...transactions.all(), ...refunds.all()].map(({ id }) => id),
    ...['', 'store', '0x12'],
  ];
  return random.oneOf(words);
}
