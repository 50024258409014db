import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NETWORK, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { newId } from '#shared/kernel/ids.js';
import { LeaseLost } from '#shared/platform/leases/leases.js';
import { watcherLeaseName, CursorMoved } from '../domain/cursor.js';
import { storeOpenRequests } from '#contexts/payments/testing/requests/store-open-requests.js';

let payments: Payments;
let expectedBreaches: readonly string[] | 'any';
beforeEach(async () => {
  expectedBreaches = [];
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close(expectedBreaches));

describe('The watcher of a network', () => {
  it('detects a payment in its block, and completes the request when that block is final', async () => {
    const request = await payments.request();

    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    const seen = await payments.read(request);
    payments.chain.mineEmpty(1);
    await payments.follow();
    const waiting = await payments.read(request);
    payments.chain.mineEmpty(1);
    await payments.follow();
    const done = await payments.read(request);

    expect([seen.status, seen.receivedAmount, seen.transfers[0]!.confirmations]).toEqual([
      'processing',
      10_000_000n,
      1,
    ]);
    expect([waiting.status, waiting.transfers[0]!.final]).toEqual(['processing', false]);
    expect([done.status, done.receivedAmount, done.transfers[0]!.final]).toEqual([
      'completed',
      10_000_000n,
      true,
    ]);
    expect(done.history.map(({ status }) => status)).toEqual([
      'created',
      'processing',
      'completed',
      'confirmed',
    ]);
    expect(done.confirmedAt).toEqual(done.history.at(-1)!.at);
    expect(await payments.told(request)).toEqual(['created', 'processing', 'completed', 'ledger step']);
  });

  it('counts each of several transfers of one transaction once', async () => {
    const request = await payments.request();
    const part = { ...pay(request, 250), transaction: 'one for all' };

    payments.chain.mine(part, part, part, part);
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.receivedAmount, read.transfers.length]).toEqual(['completed', 10_000_000n, 4]);
  });

  it('ignores transfers of amount zero, and of tokens outside of the catalogue', async () => {
    const request = await payments.request();

    payments.chain.mine(pay(request, 0), pay(request, 1000, `0x${'66'.repeat(20)}`));
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.transfers]).toEqual(['created', []]);
  });

  it('expires a request by the blocks read, not by the clock', async () => {
    const request = await payments.request();

    await payments.platform.advance(24 * 3600);
    await payments.follow();
    const before = await payments.read(request);
    payments.chain.mineBeyond(new Date(request.expiresAt.getTime() + 60_000));
    await payments.follow();

    expect(before.status).toBe('created');
    expect((await payments.read(request)).status).toBe('expired');
    expect(await payments.told(request)).toEqual(['created', 'expired']);
  });

  it('counts a payment in time that a lagging node shows late, and keeps it final', async () => {
    const request = await payments.request();
    payments.chain.mine();
    await payments.follow();

    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(100);
    payments.chain.lag(102);
    await payments.platform.advance(3 * 3600);
    await payments.follow();
    const lagging = await payments.read(request);
    payments.chain.lag(0);
    await payments.follow();

    expect(lagging.status).toBe('created');
    expect((await payments.read(request)).status).toBe('completed');

    payments.chain.lag(3);
    await payments.follow();

    expect((await payments.read(request)).transfers[0]!.final).toBe(true);
  });
});

describe('A second watcher of a network', () => {
  it('makes no second transition if it is slower, because it finds the cursor moved', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    let arrived = 0;
    const both = Promise.withResolvers<void>();
    payments.chain.beforeAnswer = async (question) => {
      if (question !== 'contents') return;
      arrived += 1;
      if (arrived === 2) both.resolve();
      await both.promise;
    };

    const turns = await Promise.allSettled([payments.turn(), payments.turn()]);

    const refused = turns.filter((turn) => turn.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([expect.any(CursorMoved)]);
    expect((await payments.read(request)).transfers).toHaveLength(1);
    expect(await payments.told(request)).toEqual(['created', 'processing']);
  });

  it('prevents the watcher that it replaced from writing', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    const cursor = await payments.watched.cursor(NETWORK);
    await payments.platform.database.query(`UPDATE platform.leases SET expires_at = '-infinity'`);
    const epoch = await payments.leases.acquire(watcherLeaseName(NETWORK), newId());

    await expect(payments.turn()).rejects.toThrow(LeaseLost);
    const refused = await payments.read(request);
    await payments.watcher().follow(NETWORK, epoch!);

    expect(refused.status).toBe('created');
    expect((await payments.watched.cursor(NETWORK))!.head.number).toBe(cursor!.head.number + 1);
    expect((await payments.read(request)).status).toBe('processing');
  });

  it('prevents the watcher that it replaced from moving the cursor back', async () => {
    payments.chain.mineEmpty(2);
    await payments.follow();
    payments.chain.removeNewestBlocks(1);
    payments.chain.mineEmpty(2);
    await payments.platform.database.query(`UPDATE platform.leases SET expires_at = '-infinity'`);
    await payments.leases.acquire(watcherLeaseName(NETWORK), newId());

    await expect(payments.turn()).rejects.toThrow(LeaseLost);
    expect((await payments.watched.cursor(NETWORK))!.head.number).toBe(2);
  });
});

class Crash extends Error {}

/**
 * Crashes before the first statement of an iteration, then before the second, and so on, until an iteration
 * succeeds.
 */
async function crashAtEachStatement(afterEachCrash: () => Promise<void>): Promise<number> {
  for (let at = 1; ; at += 1) {
    let sent = 0;
    payments.database.beforeStatement = () => {
      sent += 1;
      if (sent === at) throw new Crash();
    };
    const outcome = await payments.turn().then(
      () => null,
      (error: unknown) => error,
    );
    payments.database.beforeStatement = () => undefined;
    if (outcome === null) return at - 1;
    if (!(outcome instanceof Crash)) throw outcome;
    await afterEachCrash();
  }
}

describe('A watcher that is killed between any two statements', () => {
  it('stores a block with all its results, or nothing', async () => {
    const [paid, topped] = [await payments.request(), await payments.request()];
    payments.chain.mine(pay(paid, 1000), pay(topped, 100));
    payments.chain.mineEmpty(1);
    await payments.follow();
    payments.chain.mine(pay(topped, 100));
    const before = await payments.watched.cursor(NETWORK);

    const points = await crashAtEachStatement(async () => {
      const read = await Promise.all([paid, topped].map(payments.read));
      expect(read.map(({ status }) => status)).toEqual(['processing', 'processing']);
      expect(read.map(({ transfers }) => transfers.length)).toEqual([1, 1]);
      expect(read.map(({ transfers }) => transfers[0]!.final)).toEqual([false, false]);
      expect(await payments.watched.cursor(NETWORK)).toEqual(before);
      expect(await payments.breaches()).toEqual({});
    });

    const read = await Promise.all([paid, topped].map(payments.read));
    expect(points).toBeGreaterThan(10);
    expect(read.map(({ status }) => status)).toEqual(['completed', 'processing']);
    expect(await payments.told(paid)).toEqual(['created', 'processing', 'completed', 'ledger step']);
  });
});

describe('The number of statements of an iteration', () => {
  beforeEach(async () => {
    payments.chain.mineEmpty(3);
    await payments.follow();
  });

  it('does not grow with open requests, ended requests or payments in a block', async () => {
    await storeOpenRequests(payments, 10);
    const few = await turnWithPayments(1);

    await storeOpenRequests(payments, 1_000);
    const many = await turnWithPayments(20);
    payments.chain.mineBeyond(new Date(payments.chain.tip.time.getTime() + 1_200_000));
    await payments.follow();
    const ended = await turnWithPayments(1);

    expect(many).toHaveLength(few.length);
    expect(ended.length).toBeLessThanOrEqual(few.length);
  });

  async function turnWithPayments(count: number): Promise<string[]> {
    const requests = await Promise.all(Array.from({ length: count }, () => payments.request()));
    payments.chain.mine(...requests.map((request) => pay(request, 1)));
    return payments.database.sentBy(() => payments.turn());
  }
});

describe('The check of the invariants of reading', () => {
  const stopped = () =>
    payments.database.query(
      `UPDATE payments.chain_cursors SET moved_at = clock_timestamp() - interval '61 seconds'`,
    );

  it('detects a network that is not read, a minute after a request should have ended', async () => {
    expectedBreaches = 'any';
    await payments.request();
    await stopped();
    const early = await payments.breaches();
    await payments.platform.advance(480 + 60 + 61);

    expect([early, Object.keys(await payments.breaches())]).toEqual([{}, ['watchers-keep-reading']]);
  });
});

describe('The first block that is read', () => {
  const finalByTag = () =>
    new SmallCatalogue(
      new SmallCatalogue()
        .networks()
        .map((each) => ({ ...each, finality: { kind: 'finalized', typicalConfirmations: 64 } as const })),
    );

  it.each([
    ['is below the final block', 3, 300, 300 - 2 - 256],
    ['is the first block of a chain shorter than its confirmations', 400, 300, 0],
    ['is the first block of a young chain without a finalized block', null, 256, 0],
  ])('%s', async (_, confirmations, length, first) => {
    await payments.close();
    payments = await openPayments(confirmations, confirmations === null ? finalByTag() : undefined);
    payments.chain.mineEmpty(length);

    await payments.turn();

    expect((await payments.watched.cursor(NETWORK))!.head.number).toBe(first);
  });

  it('is not chosen while the node of a long chain reports no finalized block', async () => {
    await payments.close();
    payments = await openPayments(null, finalByTag());
    payments.chain.mineEmpty(257);

    await expect(payments.turn()).rejects.toThrow('it reports no finalized block below its head 257');
    expect(await payments.watched.cursor(NETWORK)).toBeNull();
  });
});
