import type { Random } from '../random.js';
import { timeOf, dataOf, keyOf } from './calls.js';
import { someRequest, type ShownRequest, remember } from './known-requests.js';
import { memoryOf, moneyMemoryOf } from './memory.js';
import { readRequest, requestPath } from './payment-requests.js';
import { act, type Act, type Merchant, type World } from './world.js';
import { somePointOfSale } from './points-of-sale.js';

const HOUR_MS = 3_600_000;
const TYPES = ['payment_in', 'deposit', 'withdraw', 'refund', 'adjustment', 'payment_out'];
const STATUSES = ['processing', 'completed', 'failed', 'pending'];
const EVENT_TYPES = ['payment_request', 'refund', 'deposit', 'adjustment', 'settlement', 'subscription'];

export const ledgerActs: readonly Act[] = [
  reading('list transactions of a time', 0.75, (world, merchant, random) => ({
    path: '/v1/transactions',
    query: { ...pageOf(random), ...filters(world, merchant, random) },
  })),
  reading('export transactions as CSV', 0.45, (world, merchant, random) => ({
    path: '/v1/transactions.csv',
    query: filters(world, merchant, random),
  })),
  reading('read the journal of a month', 0.18, (world, merchant, random) => ({
    path: '/v1/journal.csv',
    query: {
      ...{ month: monthOf(world, random), ...accountIn(merchant, random) },
      ...(random.chance(0.3) && { format: 'xero' }),
    },
  })),
  reading('read the statements of a month', 0.38, (world, merchant, random) => ({
    path: '/v1/statements',
    query: { month: monthOf(world, random), ...accountIn(merchant, random) },
  })),
  reading('read events of a time', 0.6, (world, _merchant, random) => ({
    path: '/v1/events',
    query: {
      ...{ limit: String(random.oneOf([1, 20, 100])) },
      ...(random.chance(0.5) && { created_from: timeOf(world.now() - random.whole(1, 72) * HOUR_MS) }),
      ...(random.chance(0.4) && { event_type: random.oneOf(EVENT_TYPES) }),
    },
  })),
  act('read on from an event', 0.6, async (world, merchant, random) => {
    const memory = moneyMemoryOf(merchant);
    const query = { limit: '50', ...(memory.lastEvent !== undefined && { after: memory.lastEvent }) };
    const call = { method: 'GET', path: '/v1/events', query } as const;
    const page = dataOf<{ next_after?: string }>(await world.call({ ...call, as: keyOf(merchant, random) }));
    memory.lastEvent = page?.next_after ?? memory.lastEvent;
  }),
  act('look for the receipt of a payment', 0.75, async (world, merchant, random) => {
    const { receipts } = moneyMemoryOf(merchant);
    const request = someRequest(merchant, random, ({ payments }) => payments > 0);
    if (request === undefined) return false;
    const shown = await readRequest<ShownRequest & Issued>(world, request, keyOf(merchant, random));
    if (shown?.receipt_url === undefined) return;
    const { pathname } = new URL(shown.receipt_url);
    receipts.put({ id: pathname });
    if (random.chance(0.5)) await readReceipt(world, pathname, random);
  }),
  act('read a receipt', 0.75, async (world, merchant, random) => {
    const known = moneyMemoryOf(merchant).receipts.all();
    if (known.length === 0) return false;
    await readReceipt(world, random.oneOf(known).id, random);
  }),
];

interface Issued {
  readonly receipt_url?: string;
}

async function readReceipt(world: World, path: string, random: Random): Promise<void> {
  const from = `10.6.0.${random.whole(1, 254)}`;
  const headers = { accept: random.chance(0.8) ? 'application/json' : 'text/html' };
  const isFile = random.chance(0.3);
  await world.call({ method: 'GET', path: isFile ? `${path}/document` : path, from, headers });
}

interface Reading {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

function reading(
  name: string,
  weight: number,
  callOf: (world: World, merchant: Merchant, random: Random) => Reading,
): Act {
  return act(name, weight, async (world, merchant, random) => {
    const call = callOf(world, merchant, random);
    await world.call({ ...call, method: 'GET', as: keyOf(merchant, random) });
  });
}

function pageOf(random: Random): Record<string, string> {
  return { page: String(random.oneOf([1, 1, 1, 2, 3])), page_size: String(random.oneOf([5, 20, 50, 100])) };
}

function accountIn(merchant: Merchant, random: Random): Record<string, string> {
  return random.chance(0.3) ? { accountID: random.oneOf(merchant.accounts).accountId } : {};
}

function filters(world: World, merchant: Merchant, random: Random): Record<string, string> {
  const references = memoryOf(merchant)
    .requests.all()
    .flatMap(({ referenceId }) => referenceId ?? []);
  const from = world.now() - random.whole(1, 96) * HOUR_MS;
  return {
    ...accountIn(merchant, random),
    ...(random.chance(0.25) && { type: random.oneOf(TYPES) }),
    ...(random.chance(0.2) && { status: random.oneOf(STATUSES) }),
    ...(random.chance(0.2) && { created_from: timeOf(from) }),
    ...(random.chance(0.2) && { created_to: timeOf(from + random.whole(1, 96) * HOUR_MS) }),
    ...(random.chance(0.1) && references.length > 0 && { reference_id: random.oneOf(references) }),
  };
}

export function monthOf(world: World, random: Random): string {
  return monthBefore(world.now(), random.chance(0.7) ? 0 : 1);
}

export function monthBefore(now: number, months: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)).toISOString().slice(0, 7);
}

type Query = Record<string, string>;

function lookup(
  name: string,
  weight: number,
  wanted: (merchant: Merchant, random: Random) => readonly [path: string, query?: Query] | undefined,
): Act {
  return act(name, weight, async (world, merchant, random) => {
    const [path, query = {}] = wanted(merchant, random) ?? [];
    if (path === undefined) return false;
    await world.call({ method: 'GET', path, query, as: keyOf(merchant, random) });
  });
}

const explain = lookup('ask why a request is or is not paid', 2, (merchant, random) => {
  const request = someRequest(merchant, random);
  return request && [`${requestPath(request)}/explain`];
});

const explainTransaction = lookup('ask what became of a transaction', 1, (merchant, random) => {
  const transactions = memoryOf(merchant).transactions.all();
  return transactions.length === 0 ? undefined : [`/v1/explain/${random.oneOf(transactions).id}`];
});

const lists = lookup('list accounts and points of sale', 1, (_merchant, random) => [
  random.oneOf(['/v1/account', '/v1/pos']),
  { page: '1', page_size: String(random.whole(1, 10)) },
]);

const findUnknown: Act = act('take requests of a list into memory', 1, async (world, merchant, random) => {
  const pos = await somePointOfSale(world, merchant, random);
  if (pos === undefined) return false;
  const call = { method: 'GET', path: `/v1/pos/${pos.id}/payment-request` } as const;
  const query = { page: '1', page_size: '3' };
  const answer = await world.call({ ...call, query, as: merchant.credentials[0]! });
  for (const shown of dataOf<{ data: ShownRequest[] }>(answer)?.data ?? [])
    remember(world, merchant, shown, { posId: pos.id, accountId: pos.accountId, way: wayOf(shown) });
});

function wayOf({ session_id }: ShownRequest): 'checkout' | 'direct' {
  return session_id === undefined ? 'direct' : 'checkout';
}

export const bookkeepingActs: readonly Act[] = [explain, explainTransaction, lists, findUnknown];
