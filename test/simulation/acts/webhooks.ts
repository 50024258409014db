import type { Random } from '../random.js';
import { hasStatus, repeat, type PageOf } from './answers.js';
import { create, dataOf, hex, keyOf } from './calls.js';
import { memoryOf, type KnownWebhook } from './memory.js';
import { moneyMemoryOf, webhooksOf } from './money-memory.js';
import type { Account, Act, Merchant, World } from './world.js';

/** A webhook as it is answered. */
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

/** URLs that no service may call. */
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
  {
    name: 'register a webhook',
    weight: 3.75,
    async attempt(world, merchant, random) {
      const account = random.oneOf(merchant.accounts);
      if (webhooksOf(merchant, account).length >= MOST_PER_ACCOUNT) return false;
      const url = random.chance(0.95) ? world.receivers.open() : random.oneOf(REFUSED_URLS);
      const eventType = random.oneOf([
        ...['payment_request', 'payment_request', 'payment_request'],
        ...['refund', 'refund', 'incoming_transfer'],
      ]);
      await registerWebhook(world, merchant, random, account, { url, event_type: eventType });
      return true;
    },
  },
  {
    name: 'list the webhooks of an account',
    weight: 1.5,
    async attempt(world, merchant, random) {
      const { accountId } = random.oneOf(merchant.accounts);
      const path = `/v1/account/${accountId}/webhook/list`;
      const query = { page: '1', page_size: String(random.whole(1, 60)) };
      const listed = dataOf<PageOf<AnsweredWebhook>>(
        await world.call({ method: 'GET', path, query, as: keyOf(merchant, random) }),
      );
      for (const webhook of listed?.data ?? []) remember(merchant, webhook);
      return true;
    },
  },
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
  {
    name: 'activate a webhook',
    weight: 2,
    async attempt(world, merchant, random) {
      const known = memoryOf(merchant).webhooks.all();
      const inactive = known.filter(({ isActive }) => !isActive);
      if (known.length === 0 || (inactive.length === 0 && random.chance(0.8))) return false;
      const webhook = random.oneOf(inactive.length > 0 ? inactive : known);
      const call = { method: 'PATCH', path: pathOf(webhook, 'activate') } as const;
      const answer = await repeat(world, { ...call, as: keyOf(merchant, random) });
      if (dataOf(answer) !== undefined) webhook.isActive = true;
      return true;
    },
  },
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
  {
    name: 'make a receiver misbehave',
    weight: 2.5,
    async attempt(world, merchant, random) {
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
      return true;
    },
  },
  {
    name: 'mend a receiver',
    weight: 2.5,
    async attempt(world, merchant, random) {
      const { illReceivers } = moneyMemoryOf(merchant);
      if (illReceivers.length === 0) return false;
      const url = random.oneOf(illReceivers);
      illReceivers.splice(illReceivers.indexOf(url), 1);
      world.receivers.behave(url, 200);
      return true;
    },
  },
];

async function test(world: World, merchant: Merchant, webhook: KnownWebhook, random: Random): Promise<void> {
  const call = { method: 'POST', path: pathOf(webhook, 'test') } as const;
  await create(world, merchant, random, { ...call, as: keyOf(merchant, random) });
}

/** An act on one of the webhooks that the merchant knows. */
function changing(
  name: string,
  weight: number,
  change: (world: World, merchant: Merchant, webhook: KnownWebhook, random: Random) => Promise<void>,
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const known = memoryOf(merchant).webhooks.all();
      if (known.length === 0) return false;
      await change(world, merchant, random.oneOf(known), random);
      return true;
    },
  };
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
