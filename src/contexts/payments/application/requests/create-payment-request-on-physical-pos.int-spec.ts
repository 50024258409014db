import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { refusal, withReadPayments, pay, type Payments } from '../../testing/requests/open-payments.js';

let payments: Payments;
withReadPayments((opened) => {
  payments = opened;
});

describe('A physical point of sale', () => {
  let till: CollectingPoint;
  beforeEach(async () => {
    till = await payments.pointsOfSale.open({ type: 'physical' });
  });

  it('ends the window of its previous unpaid request, which then expires by the usual rule', async () => {
    const first = await payments.request({}, till);
    const second = await payments.request({}, till);
    const replaced = await payments.read(first);

    payments.chain.mineAt(new Date(second.createdAt.getTime() + 60_001));
    await payments.follow();

    expect([replaced.status, replaced.expiresAt]).toEqual(['created', second.createdAt]);
    expect([(await payments.read(first)).status, (await payments.read(second)).status]).toEqual([
      'expired',
      'created',
    ]);
  });

  it('leaves a previous request alone for which a payment was seen', async () => {
    const first = await payments.request({}, till);
    payments.chain.mine(pay(first, 500));
    await payments.follow();

    await payments.request({}, till);

    expect((await payments.read(first)).expiresAt).toEqual(first.expiresAt);
  });

  it('leaves the previous request open when the new one cannot be stored', async () => {
    const first = await payments.request({}, till);
    await payments.platform.database.query(`DELETE FROM payments.chain_cursors`);

    const error = await refusal(payments.request({}, till));

    expect(error.kind).toBe('unavailable');
    expect((await payments.read(first)).expiresAt).toEqual(first.expiresAt);
  });

  it('has one open window also after many creations at once, whichever was asked for first', async () => {
    const now = await payments.platform.clock.now();
    const at = (n: number) => new Date(now.getTime() - 1_000 + ((n * 7) % 5));

    await Promise.all(Array.from({ length: 8 }, (_, n) => payments.request({ at: at(n) }, till)));

    const rows = await payments.platform.database.query(
      `SELECT id FROM payments.payment_requests WHERE point_of_sale_id = $1 AND expires_at > $2`,
      [till.id, now],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('A physical point of sale that many ask at once', () => {
  let till: CollectingPoint;
  let release: () => void;
  let elsewhere: Promise<void>;
  let now: number;
  beforeEach(async () => {
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    till = await payments.pointsOfSale.open({ type: 'physical' });
    let locked: () => void;
    const holding = new Promise<void>((resolve) => (locked = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    elsewhere = payments.platform.database.run(async () => {
      await payments.requests.lockOpenOn(till.id);
      locked();
      await released;
    });
    await holding;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    release();
    await elsewhere;
  });

  it('leaves others served while its own wait for another process, and has one open window in the end', async () => {
    const crowd = Array.from({ length: 20 }, () => payments.request({}, till));
    await new Promise((resolve) => setTimeout(resolve, 100));

    await payments.request();
    release();
    const created = await Promise.all(crowd);

    const open = await payments.platform.database.query(
      `SELECT id FROM payments.payment_requests WHERE point_of_sale_id = $1 AND expires_at = created_at + interval '480 s'`,
      [till.id],
    );
    expect([new Set(created.map(({ id }) => id)).size, open.length]).toEqual([20, 1]);
  });

  it('refuses after two seconds, and more than fifty at once, with a conflict to try again', async () => {
    let refused = 0;
    const crowd = Array.from({ length: 51 }, () =>
      refusal(payments.request({}, till)).finally(() => (refused += 1)),
    );

    const first = await Promise.race(crowd);
    const refusedAtOnce = refused;
    now += 2_001;
    const all = await Promise.all(crowd);

    expect(refusedAtOnce).toBe(1);
    expect([first.kind, first.code]).toEqual(['conflict', 'state_conflict']);
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set(['state_conflict']));
    expect(await payments.countStored()).toBe(0);
  });
});
