import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { LeaseLost } from '#shared/platform/leases/leases.js';
import { watcherLease, CursorMoved } from '../../domain/watching/watched-chain.js';
import { NETWORK } from '../../testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(async () => {
  await payments.close();
});

describe('Two watchers of one network', () => {
  it('make one transition with one event: the slower one finds the cursor moved', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    let arrived = 0;
    let open: () => void;
    const both = new Promise<void>((resolve) => (open = resolve));
    payments.chain.beforeAnswer = async (question) => {
      if (question !== 'contents') return;
      arrived += 1;
      if (arrived === 2) open();
      await both;
    };

    const turns = await Promise.allSettled([payments.turn(), payments.turn()]);

    const refused = turns.filter((turn) => turn.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([expect.any(CursorMoved)]);
    expect((await payments.read(request)).transfers).toHaveLength(1);
    expect(await payments.told(request)).toEqual(['created', 'processing']);
  });

  it('are fenced apart by the epoch: one that was replaced writes nothing', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    const cursor = await payments.watched.cursor(NETWORK);
    await payments.platform.database.query(`UPDATE platform.leases SET expires_at = '-infinity'`);
    const epoch = await payments.leases.acquire(watcherLease(NETWORK), newId());

    await expect(payments.turn()).rejects.toThrow(LeaseLost);
    const refused = await payments.read(request);
    await payments.watcher().execute(NETWORK, epoch!);

    expect(refused.status).toBe('created');
    expect((await payments.watched.cursor(NETWORK))!.head.number).toBe(cursor!.head.number + 1);
    expect((await payments.read(request)).status).toBe('processing');
  });

  it('are fenced apart also when they go back', async () => {
    payments.chain.mineEmpty(2);
    await payments.follow();
    payments.chain.takeBack(1);
    payments.chain.mineEmpty(2);
    await payments.platform.database.query(`UPDATE platform.leases SET expires_at = '-infinity'`);
    await payments.leases.acquire(watcherLease(NETWORK), newId());

    await expect(payments.turn()).rejects.toThrow(LeaseLost);
    expect((await payments.watched.cursor(NETWORK))!.head.number).toBe(2);
  });
});
