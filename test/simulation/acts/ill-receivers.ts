import type { Random } from '../random.js';
import { MINUTE_MS, repeat } from './answers.js';
import { create, dataOf, keyOf } from './calls.js';
import { memoryOf, type KnownWebhook } from './memory.js';
import { moneyMemoryOf, webhooksOf } from './money-memory.js';
import { pay, withAddress } from './payable.js';
import { createRequest } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';
import { pathOf, registerWebhook } from './webhooks.js';
import type { Account, Act, Merchant, World } from './world.js';

/** Only 200 acknowledges. */
const ILL = [500, 503, 'silent', 'breaks', 410, 302, 201, 202, 204, 404] as const;

/** Payments whose events have something in their way. */
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

/** An act around a payment that a webhook hears of. */
function beingPaid(
  name: string,
  weight: number,
  around: (place: Place, send: () => void) => Promise<void>,
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const pos = await somePointOfSale(world, merchant, random);
      const account = merchant.accounts.find(({ accountId }) => accountId === pos?.accountId);
      if (pos === undefined || account === undefined) return false;
      const webhook = await someWebhook(world, merchant, random, account);
      const made = await createRequest(world, merchant, random, pos);
      const found = made && (await withAddress(world, made, random));
      if (webhook === undefined || found === undefined) return true;
      const send = () => pay(world, merchant, random, found, { amount: found.selection.amount });
      await around({ world, merchant, random, webhook }, send);
      return true;
    },
  };
}

/** @returns a webhook of the account for payments whose receiver is well; mostly a known one, else it is registered */
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

/** Deactivating a webhook ends the deliveries that wait; activating it does not bring them back. */
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
