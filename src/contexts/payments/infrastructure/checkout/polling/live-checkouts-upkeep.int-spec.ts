import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import { DOLLAR } from '#contexts/payments/testing/requests/collecting-world.js';
import { payAll, type Checkouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import {
  isLook,
  openPolls,
  bodyOf,
  type Polls,
} from '#contexts/payments/testing/checkout/polled-checkouts.js';
import type { LiveCheckouts } from './live-checkouts.js';

let polls: Polls;
let shop: Checkouts;
let live: LiveCheckouts;

beforeEach(async () => {
  polls = await openPolls();
  ({ shop, live } = polls);
});

afterEach(() => polls.close());

describe('Where the database is away', () => {
  let refused: number;
  const broken = (isMeant: (text: string) => boolean) => {
    refused = 0;
    shop.database.beforeStatement = (_, text) => {
      if (!isMeant(text)) return;
      refused += 1;
      throw new Error('The database is away.');
    };
  };

  it('memory answers for a second, then nothing does, and afterwards every change is seen', async () => {
    const [session, other] = [await shop.checkout(), await shop.checkout()];
    await polls.read(session);
    await polls.read(other);
    broken(isLook);
    // A look that had begun before is over then.
    await polls.until(() => refused > 0);
    const atFirst = polls.recall(session);
    await polls.skip(1_001);
    const afterASecond = polls.recall(session);
    const asked = await polls.read(session).catch((error: Error) => error);
    await shop.select(session, DOLLAR);
    shop.database.beforeStatement = () => undefined;

    const back = await polls.read(session);

    expect(atFirst).toBeDefined();
    expect(afterASecond).toBeUndefined();
    expect(asked).toBeInstanceOf(Error);
    expect(bodyOf(back).status).toBe('created');
    expect(bodyOf(await polls.read(other)).status).toBe('pending');
    expect(polls.recall(other)).toBeDefined();
  });

  it('for the heads alone, no event that was read is lost', async () => {
    const [paying, session] = [await shop.checkout(), await shop.checkout()];
    shop.chain.mine(payAll(await shop.select(paying, DOLLAR), DOLLAR));
    await shop.follow();
    await polls.read(paying);
    await polls.read(session);
    broken((text) => text.startsWith('SELECT network, head_number'));
    await shop.select(session, DOLLAR);
    await polls.looked();
    shop.database.beforeStatement = () => undefined;

    const after = await polls.read(session);

    expect(bodyOf(after).status).toBe('created');
  });

  it('nothing remembered is answered once more events happened than are read one by one', async () => {
    const session = await shop.checkout();
    await polls.read(session);
    await shop.platform.database.query(
      `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT gen_random_uuid(), 'test.happened', gen_random_uuid(), $1, $2, now(), '{}' FROM generate_series(1, 5001)`,
      [newId(), newId()],
    );

    await polls.forgotten(session);

    await polls.read(session);
    await polls.looked();
    expect(polls.recall(session)).toBeDefined();
    expect(polls.readings()).toBe(2);
  });
});

describe('The confirmations of a polled checkout', () => {
  /** One whose payment has two confirmations, as it is answered. */
  async function confirmedTwice() {
    const session = await shop.select(await shop.checkout(), DOLLAR);
    shop.chain.mine(payAll(session, DOLLAR));
    shop.chain.mine();
    await shop.follow();
    await polls.read(session);
    await polls.looked();
    return session;
  }
  const confirmations = (session: CheckoutView) => bodyOf(polls.recall(session)).selected!.confirmations;

  it('go down with a head that was reorganised away, without its being read again', async () => {
    const session = await confirmedTwice();
    const [before, readings] = [confirmations(session), polls.readings()];
    shop.chain.takeBack(1);
    shop.chain.mine();

    await shop.turn();
    await polls.looked();
    const after = confirmations(session);
    await shop.follow();
    await polls.looked();

    expect([before, after, confirmations(session)]).toEqual([2, 1, 2]);
    expect(polls.readings()).toBe(readings);
  });

  it('are not lowered by heads that are older than what was read', async () => {
    const session = await shop.select(await shop.checkout(), DOLLAR);
    shop.chain.mine(payAll(session, DOLLAR));
    await shop.follow();
    await polls.read(session);
    const isHeads = (text: string) => text.startsWith('SELECT network, head_number');
    const old = polls.holding(isHeads);
    await old.arrived;
    shop.chain.mine();
    await shop.follow();
    const fresh = await live.readFromDatabase(session.sessionId);
    const next = polls.holding(isHeads);

    old.letGo();
    await next.arrived;
    const afterOld = confirmations(session);
    next.letGo();

    expect([bodyOf(fresh).selected!.confirmations, afterOld]).toEqual([2, 2]);
  });
});

describe('What polling keeps and costs', () => {
  it('forgets what nobody has asked for in a minute, and then looks no more', async () => {
    const [asked, unasked] = [await shop.checkout(), await shop.checkout()];
    await polls.read(asked);
    await polls.read(unasked);
    await polls.skip(40_000);
    await polls.read(asked);
    await polls.skip(30_000);

    await polls.read(asked);
    const kept = polls.readings();
    await polls.read(unasked);
    const again = polls.readings();
    await polls.skip(61_000);
    await polls.until(() => live['memory'].size === 0);
    const before = shop.database.statements.length;
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect([kept, again]).toEqual([2, 3]);
    expect(shop.database.statements.length).toBe(before);
  });

  it('keeps changes only for as long as a reading could be older than them', async () => {
    await polls.read(await shop.checkout());
    await shop.checkout();
    await polls.looked();
    const atFirst = live['changedAt'].size;

    for (let n = 0; n <= 1_000; n += 1) await live['look']();

    expect(atFirst).toBeGreaterThan(0);
    expect(live['changedAt'].size).toBe(0);
  });

  it('ends with the process', async () => {
    await polls.read(await shop.checkout());
    await polls.looked();

    await live.beforeApplicationShutdown();

    const before = polls.looks();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(polls.looks()).toBe(before);
  });
});
