import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
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

const A_DAY = 24 * 60;

/** Blocks of ten minutes each, until the median time is past what comes before. */
async function mineFor(hours: number): Promise<void> {
  for (let i = 0; i < hours * 6; i += 1) {
    await payments.wait(10);
    payments.chain.mine();
  }
}

it('An output of a coinbase completes its request after 100 confirmations, whatever the amount needs', async () => {
  const request = await payments.ask(700n);
  const outputs = [{ to: canonicalAddress(request.address), amount: 700n }];
  payments.chain.mine([{ id: '0c'.repeat(32), spends: [], outputs, sentAt: payments.chain.now }]);
  const mineTo = async (depth: number) => {
    while (payments.chain.head.number < 12 + depth - 1)
      payments.chain.mine([], (payments.chain.now += 600_000));
    await payments.follow();
    return payments.stateOf(request);
  };

  expect(await mineTo(99)).toEqual(['processing', 700n]);
  expect((await payments.read(request)).transfers).toMatchObject([
    { confirmations: 99, requiredConfirmations: 100 },
  ]);
  expect(await mineTo(100)).toEqual(['completed', 700n]);
});

describe('A transfer in no block', () => {
  it('counts from when it is seen, is never final, and completes its request once its block is', async () => {
    const request = await payments.ask(700n);
    payments.send(request, 700n);
    await payments.follow();
    const seen = await payments.read(request);
    await payments.wait(10);
    payments.chain.mine();
    await payments.follow();

    expect([seen.status, seen.receivedAmount]).toEqual(['processing', 700n]);
    expect(seen.transfers).toMatchObject([
      { counted: true, final: false, confirmations: 0, blockNumber: Infinity, kind: 'output' },
    ]);
    expect(await payments.stateOf(request)).toEqual(['completed', 700n]);
    expect(await payments.told(request)).toEqual(['created', 'processing', 'completed', 'ledger step']);
  });

  it('counts though it is mined an hour after the deadline, by when it was first seen', async () => {
    const request = await payments.ask(700n);
    payments.send(request, 700n);
    await payments.follow();
    for (let i = 0; i < 12; i += 1) {
      await payments.wait(10);
      payments.chain.mine([]);
      await payments.follow();
    }
    const before = await payments.stateOf(request);
    await payments.wait(10);
    payments.chain.mine();
    await payments.follow();

    expect(before).toEqual(['processing', 700n]);
    expect(await payments.stateOf(request)).toEqual(['completed', 700n]);
  });

  it.each([
    ['within an hour', 50, 'completed'],
    ['later', 70, 'expired'],
  ])('whose fee is too low keeps its time if it is mined %s of the deadline', async (_, minutes, status) => {
    const request = await payments.ask(700n);
    payments.send(request, 700n, undefined, true);
    await payments.follow();
    await payments.wait(8 + minutes);
    payments.chain.mine();
    await mineFor(3);
    await payments.follow();

    expect((await payments.read(request)).status).toBe(status);
  });

  it('may wait longer once its fee is raised to what is enough, and keeps its time', async () => {
    const request = await payments.ask(700n);
    const sent = payments.send(request, 700n, undefined, true);
    await payments.follow();
    await payments.wait(50);
    payments.send(request, 700n, sent.spends);
    await payments.follow();
    await payments.wait(5 * 60);
    payments.chain.mine();
    await payments.follow();

    expect(await payments.stateOf(request)).toEqual(['completed', 700n]);
  });

  it('may wait longer once a later look finds its fee enough, and keeps its time', async () => {
    const request = await payments.ask(700n);
    const sent = payments.send(request, 700n, undefined, true);
    await payments.follow();
    await payments.wait(50);
    payments.chain.pool.set(sent.id, { ...sent, isCheap: false });
    payments.takeOver();
    await payments.follow();
    await payments.wait(5 * 60);
    payments.chain.mine();
    await payments.follow();

    expect(await payments.stateOf(request)).toEqual(['completed', 700n]);
  });

  it('is late where it is first seen after the deadline, and becomes a deposit', async () => {
    const request = await payments.ask(700n);
    await payments.wait(9);
    payments.send(request, 700n);
    await payments.follow();
    const seen = await payments.read(request);
    await mineFor(3);
    await payments.follow();

    expect(seen.transfers).toMatchObject([{ counted: false }]);
    const { status, transfers } = await payments.read(request);
    expect([status, transfers[0]!.bookedAs]).toEqual(['expired', 'deposit']);
  });

  it('lapses when the chain has passed its time, and is late when it is mined after all', async () => {
    const request = await payments.ask(700n);
    const sent = payments.send(request, 700n);
    await payments.follow();
    payments.chain.evict(sent);
    await payments.wait(A_DAY);
    await mineFor(2);
    await payments.follow();
    const lapsed = await payments.stateOf(request);
    payments.chain.hold(sent);
    await payments.wait(10);
    payments.chain.mine();
    await payments.follow();

    expect(lapsed).toEqual(['expired', 0n]);
    expect((await payments.read(request)).transfers).toMatchObject([{ counted: false, bookedAs: 'deposit' }]);
  });

  it('waits while no endpoint holds it, counted, and is there again', async () => {
    const request = await payments.ask(700n);
    const sent = payments.send(request, 700n);
    await payments.follow();
    payments.chain.evict(sent);
    await payments.wait(1);
    await payments.follow();
    const missing = await payments.database.query(`SELECT missing_since FROM payments.transfers`);
    payments.chain.hold(sent);
    await payments.follow();

    expect(missing).toEqual([{ missingSince: await payments.platform.clock.now() }]);
    expect(await payments.database.query(`SELECT missing_since FROM payments.transfers`)).toEqual([
      { missingSince: null },
    ]);
    expect(await payments.stateOf(request)).toEqual(['processing', 700n]);
  });

  it('counts no more once it is replaced by what pays elsewhere', async () => {
    const request = await payments.ask(700n);
    const sent = payments.send(request, 700n);
    await payments.follow();
    payments.chain.send([{ to: 'elsewhere', amount: 700n }], sent.spends);
    await payments.follow();

    expect(await payments.stateOf(request)).toEqual(['processing', 0n]);
  });

  it.each([
    ['of the same amount', 700n, 'completed'],
    ['of a little less', 690n, 'underpaid'],
    ['of more, which is a payment of its own and late', 710n, 'expired'],
  ])('hands its first sight to a replacement %s', async (_, amount, status) => {
    const request = await payments.ask(700n);
    const sent = payments.send(request, 700n);
    await payments.follow();
    await payments.wait(9);
    payments.send(request, amount, sent.spends);
    await payments.follow();
    await mineFor(3);
    await payments.follow();

    expect((await payments.read(request)).status).toBe(status);
  });

  it.each([
    ['waits for a block', 'overpaid'],
    ['is in a block', 'completed'],
  ])('hands its first sight to a replacement that %s, whatever dust came before', async (where, status) => {
    const request = await payments.ask(700n);
    for (let i = 0; i < 101; i += 1) payments.send(request, 1n);
    await payments.follow();
    const sent = payments.send(request, 700n);
    await payments.follow();
    await payments.wait(9);
    const replacement = payments.send(request, 700n, sent.spends);
    if (where === 'waits for a block') await payments.follow();
    await payments.wait(10);
    payments.chain.mine(where === 'is in a block' ? [replacement] : undefined);
    await payments.follow();

    expect((await payments.read(request)).status).toBe(status);
  });

  it('hands its first sight to a replacement in a block that comes while the turn asks what became of it', async () => {
    const request = await payments.ask(700n);
    const sent = payments.send(request, 700n);
    await payments.follow();
    payments.chain.evict(sent);
    await payments.wait(9);
    const pending = payments.pending();
    const fates = pending.fates.bind(pending);
    pending.fates = (...asked) => {
      pending.fates = fates;
      payments.send(request, 690n, sent.spends);
      payments.chain.mine();
      return fates(...asked);
    };
    await payments.follow();
    await mineFor(3);
    await payments.follow();

    expect(await payments.stateOf(request)).toEqual(['underpaid', 690n]);
  });

  it('waits again when its block has gone, though the deadline is past, and counts in its next block', async () => {
    const deep = await openOutputPayments(3);
    try {
      const request = await deep.ask(700n);
      deep.send(request, 700n);
      await deep.follow();
      // Also the final block's median time is past the deadline when its block goes.
      for (let i = 0; i < 18; i += 1) {
        await deep.wait(10);
        deep.chain.mine([]);
      }
      deep.chain.mine();
      await deep.follow();
      deep.chain.reorganise(1);
      for (let i = 0; i < 12; i += 1) {
        await deep.wait(10);
        deep.chain.mine([]);
        await deep.follow();
      }
      const between = await deep.stateOf(request);
      for (let i = 0; i < 3; i += 1) deep.chain.mine();
      await deep.follow();

      expect(between).toEqual(['processing', 700n]);
      expect(await deep.stateOf(request)).toEqual(['completed', 700n]);
    } finally {
      await deep.close();
    }
  });

  it('that is away is noted once its request is locked with all others whose transfers change', async () => {
    const [away, mined] = [await payments.ask(700n), await payments.ask(700n)];
    const sent = [payments.send(away, 700n), payments.send(mined, 700n)];
    await payments.follow();
    payments.chain.evict(sent[0]!);
    payments.chain.mine([sent[1]!]);
    const free: object[][] = [];
    payments.database.afterStatement = async (text) => {
      if (!/FROM payments.payment_requests .* FOR UPDATE$/s.test(text)) return;
      free.push(
        await payments.platform.dataSource.query(
          'SELECT id FROM payments.payment_requests FOR UPDATE SKIP LOCKED',
        ),
      );
    };
    await payments.follow();

    expect(free[0]).toEqual([]);
  });

  it('says nothing new when it is mined, nor when its block goes and it waits again', async () => {
    const deep = await openOutputPayments(3);
    try {
      const request = await deep.ask(700n);
      for (let i = 0; i < 2; i += 1) {
        deep.send(request, 300n);
        await deep.follow();
      }
      deep.chain.mine();
      await deep.follow();
      deep.chain.reorganise(1);
      deep.chain.mine([]);
      deep.chain.mine([]);
      await deep.follow();
      const waiting = (await deep.read(request)).transfers;
      deep.chain.mine();
      await deep.follow();

      expect(waiting).toMatchObject([{ blockNumber: Infinity }, { blockNumber: Infinity }]);
      expect(await deep.stateOf(request)).toEqual(['processing', 600n]);
      const changes = `SELECT data ->> 'receivedAmount' AS is FROM platform.events WHERE type = 'payment_request.received_changed'`;
      expect(await deep.database.query(changes)).toEqual([{ is: '600' }]);
    } finally {
      await deep.close();
    }
  });
});
