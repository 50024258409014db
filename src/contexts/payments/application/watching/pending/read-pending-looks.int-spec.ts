import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { OUTPUT_NETWORK } from '#contexts/networks/testing/output-family.js';
import { PostgresNativeBalances } from '#contexts/payments/infrastructure/watching/persistence/postgres-native-balances.js';
import {
  openOutputPayments,
  type OutputPayments,
} from '#contexts/payments/testing/watching/output-payments.js';

let payments: OutputPayments;
beforeEach(async () => {
  payments = await openOutputPayments();
});
// Also checks every invariant on what the test has left.
afterEach(() => payments.close());

async function mineFor(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 10) {
    await payments.wait(10);
    payments.chain.mine();
  }
}

describe('A look at what waits for a block', () => {
  it('that is not whole keeps every request open past its deadline, until one is', async () => {
    const request = await payments.ask(700n);
    payments.pending().isWhole = false;
    await mineFor(180);
    await payments.follow();
    const before = await payments.stateOf(request);
    payments.pending().isWhole = true;
    await payments.follow();

    expect(before).toEqual(['created', 0n]);
    expect(await payments.stateOf(request)).toEqual(['expired', 0n]);
  });

  it('that no endpoint answers leaves what waits as it is, and blocks are read', async () => {
    const [waiting, mined] = [await payments.ask(700n), await payments.ask(700n)];
    payments.send(waiting, 700n);
    await payments.follow();
    const sent = payments.send(mined, 700n);
    await payments.wait(1);
    payments.chain.mine([sent]);
    payments.pending().look = () => Promise.reject(new ChainUnavailable(OUTPUT_NETWORK, 'silent'));
    await payments.follow();

    expect(await payments.stateOf(waiting)).toEqual(['processing', 700n]);
    expect(await payments.stateOf(mined)).toEqual(['completed', 700n]);
    expect(await payments.database.query(`SELECT missing_since FROM payments.transfers`)).toEqual([
      { missingSince: null },
      { missingSince: null },
    ]);
  });

  it.each([
    ['believes a node of the time in which nobody looked', true, 7, 'completed'],
    ['dates it by the look where nodes say nothing', false, 7, 'expired'],
    ['believes no node of the time before, which was known whole', true, 12, 'expired'],
  ])('%s', async (_, saysAge, knownUntil, status) => {
    const request = await payments.ask(700n);
    await payments.wait(knownUntil);
    const node = payments.pending();
    node.saysAge = saysAge;
    payments.chain.now -= (knownUntil - 7) * 60_000;
    const sent = payments.send(request, 700n);
    payments.chain.now += (knownUntil - 7) * 60_000;
    payments.chain.evict(sent);
    await payments.follow();
    payments.chain.hold(sent);
    await payments.wait(6);
    await payments.follow();
    await mineFor(180);
    await payments.follow();

    expect((await payments.read(request)).status).toBe(status);
  });

  it('claims to know what waits up to the time when its lists were asked for, and never less than before', async () => {
    const readAt = async () => (await payments.watched.cursor(OUTPUT_NETWORK))!.pendingReadAt!.getTime();
    const before = await readAt();
    const ages = [5_000, 90_000];
    const claimed: number[] = [];
    for (const ageMs of ages) {
      payments.pending().ageMs = ageMs;
      await payments.wait(1);
      await payments.follow();
      claimed.push((await readAt()) - before);
    }

    expect(claimed).toEqual([55_000, 55_000]);
  });

  it('that a failed turn has taken is not lost with it', async () => {
    const request = await payments.ask(700n);
    payments.send(request, 700n);
    payments.database.beforeStatement = (_, text) => {
      if (text.includes('INSERT INTO payments.transfers')) throw new Error('cut off');
    };
    await expect(payments.follow()).rejects.toThrow('cut off');
    payments.database.beforeStatement = () => undefined;
    await payments.follow();

    expect(await payments.stateOf(request)).toEqual(['processing', 700n]);
  });

  it('counts one of two that cannot both be mined, though endpoints hold both', async () => {
    const request = await payments.ask(700n);
    const one = payments.send(request, 700n);
    payments.send(request, 700n, one.spends);
    payments.chain.pool.set(one.id, one);
    await payments.follow();
    const state = await payments.stateOf(request);
    payments.takeOver();
    await payments.follow();

    expect(state).toEqual(['processing', 700n]);
    expect(await payments.stateOf(request)).toEqual(state);
  });

  it('stores what is too much for one turn in several, and knows all only then', async () => {
    const request = await payments.ask(7_000n);
    for (let i = 0; i < 700; i += 1) payments.send(request, 10n);
    const read: unknown[] = [];
    payments.database.afterStatement = async (text) => {
      if (text === 'COMMIT' || !text.includes('UPDATE payments.chain_cursors')) return;
      read.push(
        (await payments.platform.database.query(`SELECT count(*)::integer AS n FROM payments.transfers`))[0],
      );
    };
    const before = await payments.watched.cursor(OUTPUT_NETWORK);
    await payments.wait(1);
    await payments.follow();

    expect(read).toEqual([{ n: 0 }, { n: 500 }]);
    expect(await payments.stateOf(request)).toEqual(['processing', 7_000n]);
    const after = await payments.watched.cursor(OUTPUT_NETWORK);
    expect(after!.pendingReadAt!.getTime() - before!.pendingReadAt!.getTime()).toBe(60_000);
  });
});

describe('How deep a transfer must be', () => {
  it('follows the greater of its amount and of what is asked for, so that parts are no sooner final', async () => {
    const request = await payments.ask(12_000n);
    for (let i = 0; i < 12; i += 1) payments.send(request, 1_000n);
    payments.chain.mine();
    const states: string[] = [];
    for (let depth = 1; depth <= 6; depth += 1) {
      await payments.wait(1);
      if (depth > 1) payments.chain.mine();
      await payments.follow();
      states.push((await payments.read(request)).status);
    }

    expect(states).toEqual([...Array<string>(5).fill('processing'), 'completed']);
  });

  it('holds a deposit back, too', async () => {
    const request = await payments.ask(700n);
    await mineFor(180);
    payments.send(request, 5_000n);
    payments.chain.mine();
    await payments.follow();
    const [early] = (await payments.read(request)).transfers;
    await mineFor(20);
    await payments.follow();

    expect([early!.final, early!.bookedAs]).toEqual([false, undefined]);
    expect((await payments.read(request)).transfers).toMatchObject([{ final: true, bookedAs: 'deposit' }]);
  });
});

it('Requests that have ended are watched no longer on networks whose balances nobody compares', async () => {
  const [paid, open] = [await payments.ask(700n), await payments.ask(700n)];
  payments.send(paid, 700n);
  payments.chain.mine();
  await payments.follow();
  const balances = new PostgresNativeBalances(payments.database);

  expect(await balances.unwatchEnded([OUTPUT_NETWORK], 500)).toBe(1);
  expect(await payments.database.query(`SELECT payment_request_id FROM payments.balance_watch`)).toEqual([
    { paymentRequestId: open.id },
  ]);
});
