import type { Random } from '../random.js';
import { hasStatus, repeat, type PageOf, create, dataOf, hex, keyOf, MINUTE_MS, timeOf } from './calls.js';
import { memoryOf, type KnownWebhook, moneyMemoryOf, webhooksOf } from './memory.js';
import { act, type Account, type Act, type Merchant, type World } from './world.js';
import { pay, withAddress } from './payable.js';
import { createRequest } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';

interface AnsweredWebhook {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
  readonly event_type: string;
  readonly active: boolean;
  readonly secret?: string;
}

/** Enough that some accounts have several of one event type, and few enough that events do not cost much. */
const MOST_PER_ACCOUNT = 4;

const REFUSED_URLS = [
  'http://hooks.example/payments',
  'https://127.0.0.1/hooks',
  'https://10.1.2.3/hooks',
  'https://[::1]/hooks',
  'https://user:word@hooks.example/',
  'hooks',
];

export async function registerWebhook(
  world: World,
  merchant: Merchant,
  random: Random,
  { accountId }: Account,
  body: { readonly url: string; readonly event_type: string },
): Promise<void> {
  const made = await create<AnsweredWebhook>(world, merchant, random, {
    ...{ method: 'POST', path: `/v1/account/${accountId}/webhook` },
    body: { ...body, ...(random.chance(0.5) && { description: hex(random, 4) }) },
    as: keyOf(merchant, random),
  });
  if (made !== undefined) remember(merchant, made);
}

export const webhookActs: readonly Act[] = [
  act('register a webhook', 3.75, async (world, merchant, random) => {
    const account = random.oneOf(merchant.accounts);
    if (webhooksOf(merchant, account).length >= MOST_PER_ACCOUNT) return false;
    const url = random.chance(0.95) ? world.receivers.open() : random.oneOf(REFUSED_URLS);
    const eventType = random.oneOf([
      ...['payment_request', 'payment_request', 'payment_request'],
      ...['refund', 'refund', 'incoming_transfer'],
    ]);
    await registerWebhook(world, merchant, random, account, { url, event_type: eventType });
  }),
  act('list the webhooks of an account', 1.5, async (world, merchant, random) => {
    const { accountId } = random.oneOf(merchant.accounts);
    const path = `/v1/account/${accountId}/webhook/list`;
    const query = { page: '1', page_size: String(random.whole(1, 60)) };
    const listed = dataOf<PageOf<AnsweredWebhook>>(
      await world.call({ method: 'GET', path, query, as: keyOf(merchant, random) }),
    );
    for (const webhook of listed?.data ?? []) remember(merchant, webhook);
  }),
  changing('change the URL of a webhook', 1.25, async (world, merchant, webhook, random) => {
    const url = random.chance(0.9) ? world.receivers.open() : random.oneOf(REFUSED_URLS);
    const answer = await repeat(world, {
      ...{ method: 'PUT', path: pathOf(webhook, 'url'), body: { url }, as: keyOf(merchant, random) },
    });
    if (hasStatus(answer, 200)) webhook.url = url;
  }),
  changing('deactivate a webhook', 1, async (world, merchant, webhook, random) => {
    const call = { method: 'PATCH', path: pathOf(webhook, 'deactivate') } as const;
    const answer = await repeat(world, { ...call, as: keyOf(merchant, random) });
    if (dataOf(answer) !== undefined) webhook.isActive = false;
  }),
  act('activate a webhook', 2, async (world, merchant, random) => {
    const known = memoryOf(merchant).webhooks.all();
    const inactive = known.filter(({ isActive }) => !isActive);
    if (known.length === 0 || (inactive.length === 0 && random.chance(0.8))) return false;
    const webhook = random.oneOf(inactive.length > 0 ? inactive : known);
    const call = { method: 'PATCH', path: pathOf(webhook, 'activate') } as const;
    const answer = await repeat(world, { ...call, as: keyOf(merchant, random) });
    if (dataOf(answer) !== undefined) webhook.isActive = true;
  }),
  changing('delete a webhook', 0.62, async (world, merchant, webhook, random) => {
    const call = { method: 'DELETE', path: pathOf(webhook, 'delete') } as const;
    const answer = await repeat(world, { ...call, as: keyOf(merchant, random) });
    // Where the first answer was lost the second is 404.
    if (hasStatus(answer, 200, 404)) memoryOf(merchant).webhooks.take(webhook.id);
  }),
  changing('test a webhook', 1.25, test),
  changing('rotate the secret of a webhook', 1, async (world, merchant, webhook, random) => {
    const body = random.chance(0.3) ? undefined : { overlap_seconds: random.oneOf([0, 60, 3_600, 604_800]) };
    const call = { method: 'POST', path: pathOf(webhook, 'rotate-secret'), body } as const;
    const rotated = await create<AnsweredWebhook>(world, merchant, random, {
      ...call,
      as: keyOf(merchant, random),
    });
    const secret = rotated?.secret;
    if (secret !== undefined) webhook.secret = secret;
    if (random.chance(0.5)) await test(world, merchant, webhook, random);
  }),
  changing('end the overlap of secrets', 0.5, async (world, merchant, webhook, random) => {
    const call = { method: 'POST', path: pathOf(webhook, 'end-overlap') } as const;
    await repeat(world, { ...call, as: keyOf(merchant, random) });
  }),
  act('make a receiver misbehave', 2.5, async (world, merchant, random) => {
    const { illReceivers } = moneyMemoryOf(merchant);
    const well = memoryOf(merchant)
      .webhooks.all()
      .filter(({ url }) => !illReceivers.includes(url));
    if (well.length === 0 || illReceivers.length >= 3) return false;
    const webhook = random.oneOf(well);
    const { url } = webhook;
    illReceivers.push(url);
    world.receivers.behave(url, random.oneOf([500, 503, 'silent', 'breaks', 410, 302, 201, 404] as const));
    if (random.chance(0.5)) await test(world, merchant, webhook, random);
  }),
  act('mend a receiver', 2.5, async (world, merchant, random) => {
    const { illReceivers } = moneyMemoryOf(merchant);
    if (illReceivers.length === 0) return false;
    const url = random.oneOf(illReceivers);
    illReceivers.splice(illReceivers.indexOf(url), 1);
    world.receivers.behave(url, 200);
  }),
];

async function test(world: World, merchant: Merchant, webhook: KnownWebhook, random: Random): Promise<void> {
  const call = { method: 'POST', path: pathOf(webhook, 'test') } as const;
  await create(world, merchant, random, { ...call, as: keyOf(merchant, random) });
}

function changing(
  name: string,
  weight: number,
  change: (world: World, merchant: Merchant, webhook: KnownWebhook, random: Random) => Promise<void>,
): Act {
  return act(name, weight, async (world, merchant, random) => {
    const known = memoryOf(merchant).webhooks.all();
    if (known.length === 0) return false;
    await change(world, merchant, random.oneOf(known), random);
  });
}

function remember(merchant: Merchant, answered: AnsweredWebhook): void {
  const { id, account_id: accountId, event_type: eventType, url, active, secret } = answered;
  const { webhooks } = memoryOf(merchant);
  const kept = secret ?? webhooks.find(id)?.secret;
  webhooks.put({
    id,
    accountId,
    eventType,
    url,
    isActive: active,
    ...(kept !== undefined && { secret: kept }),
  });
}

export function pathOf({ id, accountId }: KnownWebhook, operation: string): string {
  return `/v1/account/${accountId}/webhook/${id}/${operation}`;
}

const ILL = [500, 503, 'silent', 'breaks', 410, 302, 201, 202, 204, 404] as const;

export const illReceiverActs: readonly Act[] = [
  beingPaid('be paid while a receiver is ill', 4, async ({ world, merchant, random, webhook }, send) => {
    const { url } = webhook;
    world.receivers.behave(url, random.oneOf(ILL));
    send();
    const isSwitched = random.chance(0.6);
    if (isSwitched)
      world.later(random.whole(15, 150) * MINUTE_MS, () => switchOffAndOn(world, merchant, webhook, random));
    const minutes = random.oneOf([200, 300, 600, 2_000]);
    world.later(minutes * MINUTE_MS, async () => world.receivers.behave(url, 200));
  }),
  beingPaid('rotate a secret and be paid', 1.5, async ({ world, merchant, random, webhook }, send) => {
    await create(world, merchant, random, {
      ...{ method: 'POST', path: pathOf(webhook, 'rotate-secret'), body: { overlap_seconds: 3_600 } },
      as: keyOf(merchant, random),
    });
    send();
  }),
];

interface Place {
  readonly world: World;
  readonly merchant: Merchant;
  readonly random: Random;
  readonly webhook: KnownWebhook;
}

function beingPaid(
  name: string,
  weight: number,
  around: (place: Place, send: () => void) => Promise<void>,
): Act {
  return act(name, weight, async (world, merchant, random) => {
    const pos = await somePointOfSale(world, merchant, random);
    const account = merchant.accounts.find(({ accountId }) => accountId === pos?.accountId);
    if (pos === undefined || account === undefined) return false;
    const webhook = await someWebhook(world, merchant, random, account);
    const made = await createRequest(world, merchant, random, pos);
    const found = made && (await withAddress(world, made, random));
    if (webhook === undefined || found === undefined) return;
    const send = () => pay(world, merchant, random, found, { amount: found.selection.amount });
    await around({ world, merchant, random, webhook }, send);
  });
}

async function someWebhook(
  world: World,
  merchant: Merchant,
  random: Random,
  account: Account,
): Promise<KnownWebhook | undefined> {
  const url = world.receivers.open();
  const { illReceivers } = moneyMemoryOf(merchant);
  const well = webhooksOf(merchant, account).filter(
    ({ url: its, isActive, eventType }) =>
      isActive && eventType === 'payment_request' && !illReceivers.includes(its),
  );
  if (well.length > 0 && random.chance(0.7)) return random.oneOf(well);
  await registerWebhook(world, merchant, random, account, { url, event_type: 'payment_request' });
  return memoryOf(merchant)
    .webhooks.all()
    .find((one) => one.url === url);
}

async function switchOffAndOn(
  world: World,
  merchant: Merchant,
  webhook: KnownWebhook,
  random: Random,
): Promise<void> {
  const as = keyOf(merchant, random);
  for (const operation of ['deactivate', 'activate']) {
    const answer = await repeat(world, { method: 'PATCH', path: pathOf(webhook, operation), as });
    if (dataOf(answer) !== undefined) webhook.isActive = operation === 'activate';
  }
}

interface Attempt {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly status: 'pending' | 'delivered' | 'failed';
}

export const redeliveryActs: readonly Act[] = [
  act('read the log of deliveries', 1.6, async (world, merchant, random) => {
    const { accountId } = random.oneOf(merchant.accounts);
    const { webhooks } = memoryOf(merchant);
    const page = dataOf<PageOf<Attempt>>(
      await world.call({
        ...{ method: 'GET', path: `/v1/account/${accountId}/webhook/logs` },
        query: { page: String(random.chance(0.8) ? 1 : 2), page_size: String(random.whole(5, 50)) },
        as: keyOf(merchant, random),
      }),
    );
    for (const { delivery_id: id, webhook_id: of, status } of page?.data ?? []) {
      const webhook = webhooks.find(of);
      const isWanted = status !== 'delivered' || random.chance(0.2);
      if (webhook !== undefined && isWanted) moneyMemoryOf(merchant).deliveries.put({ id, webhook });
    }
  }),
  act('resend a delivery', 1, async (world, merchant, random) => {
    const known = moneyMemoryOf(merchant).deliveries.all();
    if (known.length === 0) return false;
    const { id, webhook } = random.oneOf(known);
    moneyMemoryOf(merchant).deliveries.take(id);
    const path = pathOf(webhook, `delivery/${id}/resend`);
    await create(world, merchant, random, { method: 'POST', path, as: keyOf(merchant, random) });
  }),
  act('replay the events of a webhook', 0.6, async (world, merchant, random) => {
    const known = memoryOf(merchant).webhooks.all();
    if (known.length === 0) return false;
    const webhook = random.oneOf(known);
    const to = world.now() - random.whole(0, 6) * 3_600_000;
    const from = to - random.whole(1, 24) * 3_600_000;
    const range = { from: timeOf(from), to: timeOf(to) };
    await create(world, merchant, random, {
      ...{ method: 'POST', path: pathOf(webhook, 'replay') },
      body: { ...range, ...(random.chance(0.3) && { dry_run: true }) },
      as: keyOf(merchant, random),
    });
  }),
];
