import type { Random } from '../random.js';
import { monthBefore } from './ledger.js';
import { memoryOf, moneyMemoryOf } from './memory.js';
import { Desk, Browser, nextCode } from './people/desk.js';
import { act, type Act, type Merchant, type World } from './world.js';
import { hasStatus, locationIn, textIn, hex } from './calls.js';

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
    const change = random.chance(0.6) ? 'close' : 'reopen';
    await desk.set(`/app/periods/${change}`, {
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
      ...{
        postal_address: 'Rua 1\nLisboa',
        own_colour: 'on',
        colour: random.oneOf(['#1d4ed8', '#000000', 'blue']),
      },
    });
  }),
];

function seated(
  name: string,
  weight: number,
  work: (world: World, merchant: Merchant, desk: Desk, random: Random) => Promise<unknown>,
): Act {
  return act(name, weight, async (world, merchant, random) => {
    const desk = await Desk.open(world, merchant);
    if (desk === undefined) return false;
    return work(world, merchant, desk, random);
  });
}

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

const ROLES = ['owner', 'admin', 'developer', 'viewer', 'cashier'];

export async function invite(world: World, merchant: Merchant, desk: Desk, random: Random): Promise<void> {
  const email = `person-${hex(random, 4)}@shop.example`;
  const role = random.oneOf(ROLES);
  const page = await desk.shown(await desk.set('/app/team/invitations', { email, role }));
  const token = /\/app\/invitation\/([^"<\s]+)/.exec(page)?.[1];
  if (token === undefined) return;
  if (random.chance(0.2)) return withdraw(desk, page);
  if (random.chance(0.8)) await join(world, token, random);
  const [id] = idsOn(textIn(await desk.get('/app/team')), moneyMemoryOf(merchant).people.all());
  if (id !== undefined) moneyMemoryOf(merchant).people.put({ id, role });
}

export async function changePerson(merchant: Merchant, desk: Desk, random: Random): Promise<void> {
  const people = moneyMemoryOf(merchant).people.all();
  if (people.length === 0) return;
  const { id, role } = random.oneOf(people);
  const form = { role: random.chance(0.7) ? role : random.oneOf(ROLES.slice(1)) };
  await desk.set(`/app/team/${id}`, { ...form, ...(random.chance(0.3) && { enabled: 'on' }) });
}

async function withdraw(desk: Desk, page: string): Promise<void> {
  const path = /\/app\/team\/invitations\/[0-9a-f-]{36}\/withdraw/.exec(page)?.[0];
  if (path !== undefined) await desk.set(path);
}

async function join(world: World, token: string, random: Random): Promise<void> {
  const browser = new Browser(world, {});
  const form = { name: `Person ${hex(random, 2)}`, password: `pass-${hex(random, 8)}` };
  const joined = await browser.post(`/app/invitation/${token}`, form);
  if (locationIn(joined) === undefined) return;
  const page = textIn(await browser.get('/app/second-factor/enrol'));
  const secret = /id="secret"[^>]*>([A-Z2-7]+)</.exec(page)?.[1];
  const code = secret && nextCode({ secret, lastStep: 0 }, world.now());
  if (code === undefined) return;
  const enrolled = await browser.post('/app/second-factor/authenticator', { new_code: code });
  if (hasStatus(enrolled, 303)) await browser.get(random.oneOf(['/app', '/app/payments', '/app/team']));
}

function idsOn(page: string, known: readonly { readonly id: string }[]): string[] {
  const ids = [...page.matchAll(/action="\/app\/team\/([0-9a-f-]{36})"/g)].map(([, id]) => id!);
  return ids.slice(1).filter((id) => !known.some((one) => one.id === id));
}
