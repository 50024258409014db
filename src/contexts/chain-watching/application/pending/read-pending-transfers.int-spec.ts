import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { openOutputPayments, type OutputPayments } from '../../testing/output-payments.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { OUTPUT_NETWORK } from '#contexts/networks/testing/output-chain-type.js';
import { PostgresNativeBalances } from '#contexts/payments/infrastructure/evaluation/postgres-native-balances.js';
import { presentExplanation } from '#contexts/payments/infrastructure/explanation/http/explanation.dto.js';
import { ExplanationQueries } from '#contexts/payments/infrastructure/explanation/persistence/explanation-queries.js';
import { presentProgress } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { ExplainPaymentRequest } from '#contexts/payments/application/explanation/explain-payment-request.js';

let payments: OutputPayments;
beforeEach(async () => {
  payments = await openOutputPayments();
});
// `close` also checks every invariant on the data that the test leaves.
afterEach(() => payments.close());

const DAY_MINUTES = 24 * 60;

/** Mines a block every ten minutes, so that the median block time passes earlier transactions. */
async function mineForHours(hours: number): Promise<void> {
  for (let i = 0; i < hours * 6; i += 1) {
    await payments.wait(10);
    payments.chain.mine();
  }
}

describe('A coinbase output', () => {
  it('completes a request after 100 confirmations, whatever the amount requires', async () => {
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
});

describe('A pending transfer', () => {
  it('counts when it is seen, and completes its request once its block is final', async () => {
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

  it.each([
    ['within an hour', 50, 'completed'],
    ['later', 70, 'expired'],
  ])(
    'keeps its time despite a low fee only if it is mined within an hour of the deadline: %s',
    async (_, minutes, status) => {
      const request = await payments.ask(700n);
      payments.send(request, 700n, undefined, true);
      await payments.follow();
      await payments.wait(8 + minutes);
      payments.chain.mine();
      await mineForHours(3);
      await payments.follow();

      expect((await payments.read(request)).status).toBe(status);
    },
  );

  it('is late if it is first seen after the deadline, and becomes a deposit', async () => {
    const request = await payments.ask(700n);
    await payments.wait(9);
    payments.send(request, 700n);
    await payments.follow();
    const seen = await payments.read(request);
    await mineForHours(3);
    await payments.follow();

    expect(seen.transfers).toMatchObject([{ counted: false }]);
    const { status, transfers } = await payments.read(request);
    expect([status, transfers[0]!.bookedAs]).toEqual(['expired', 'deposit']);
  });

  it('lapses when the chain has passed its time, and is late if it is mined later', async () => {
    const request = await payments.ask(700n);
    const sent = payments.send(request, 700n);
    await payments.follow();
    payments.chain.evict(sent);
    await payments.wait(DAY_MINUTES);
    await mineForHours(2);
    await payments.follow();
    const lapsed = await payments.stateOf(request);
    payments.chain.hold(sent);
    await payments.wait(10);
    payments.chain.mine();
    await payments.follow();

    expect(lapsed).toEqual(['expired', 0n]);
    expect((await payments.read(request)).transfers).toMatchObject([{ counted: false, bookedAs: 'deposit' }]);
  });

  it('counts while no endpoint holds it, and reappears', async () => {
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

  it('stops counting once it is replaced by another payment', async () => {
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
  ])('passes its time on to a replacement: %s', async (_, amount, status) => {
    const request = await payments.ask(700n);
    const sent = payments.send(request, 700n);
    await payments.follow();
    await payments.wait(9);
    payments.send(request, amount, sent.spends);
    await payments.follow();
    await mineForHours(3);
    await payments.follow();

    expect((await payments.read(request)).status).toBe(status);
  });

  it('passes its time on to a replacement in a block, whatever dust came before', async () => {
    const request = await payments.ask(700n);
    for (let i = 0; i < 101; i += 1) payments.send(request, 1n);
    await payments.follow();
    const sent = payments.send(request, 700n);
    await payments.follow();
    await payments.wait(9);
    const replacement = payments.send(request, 700n, sent.spends);
    await payments.wait(10);
    payments.chain.mine([replacement]);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('completed');
  });

  it('is pending again when its block is removed after the deadline, and counts in its next block', async () => {
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
      deep.chain.reorganize(1);
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

  it('is marked missing only after its request is locked with all others', async () => {
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

  it('publishes nothing when it is mined or its block is removed', async () => {
    const deep = await openOutputPayments(3);
    try {
      const request = await deep.ask(700n);
      for (let i = 0; i < 2; i += 1) {
        deep.send(request, 300n);
        await deep.follow();
      }
      deep.chain.mine();
      await deep.follow();
      deep.chain.reorganize(1);
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

describe('A poll of pending transfers', () => {
  it('keeps requests open past their deadline until it is complete', async () => {
    const request = await payments.ask(700n);
    payments.pending().isWhole = false;
    await mineForHours(3);
    await payments.follow();
    const before = await payments.stateOf(request);
    payments.pending().isWhole = true;
    await payments.follow();

    expect(before).toEqual(['created', 0n]);
    expect(await payments.stateOf(request)).toEqual(['expired', 0n]);
  });

  it('changes nothing if no endpoint answers, and blocks are still read', async () => {
    const [waiting, mined] = [await payments.ask(700n), await payments.ask(700n)];
    payments.send(waiting, 700n);
    await payments.follow();
    const sent = payments.send(mined, 700n);
    await payments.wait(1);
    payments.chain.mine([sent]);
    payments.pending().pollMempools = () => Promise.reject(new ChainUnavailable(OUTPUT_NETWORK, 'silent'));
    await payments.follow();

    expect(await payments.stateOf(waiting)).toEqual(['processing', 700n]);
    expect(await payments.stateOf(mined)).toEqual(['completed', 700n]);
    expect(await payments.database.query(`SELECT missing_since FROM payments.transfers`)).toEqual([
      { missingSince: null },
      { missingSince: null },
    ]);
  });

  it.each([
    ['accepts the age that a node reports for the time without a poll', true, 7, 'completed'],
    ['accepts no age before the time that was polled completely', true, 12, 'expired'],
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
    await mineForHours(3);
    await payments.follow();

    expect((await payments.read(request)).status).toBe(status);
  });

  it('covers the time up to the request of its lists, and never less than before', async () => {
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

  it('counts one of two conflicting transfers, even if endpoints hold both', async () => {
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

  it('is stored over several iterations if it is large, and is complete after the last of them', async () => {
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

describe('The number of confirmations that a transfer requires', () => {
  it('depends on the greater of its amount and the requested amount', async () => {
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

  it('delays a deposit as well as a payment', async () => {
    const request = await payments.ask(700n);
    await mineForHours(3);
    payments.send(request, 5_000n);
    payments.chain.mine();
    await payments.follow();
    const [early] = (await payments.read(request)).transfers;
    await mineForHours(1 / 3);
    await payments.follow();

    expect([early!.final, early!.bookedAs]).toEqual([false, undefined]);
    expect((await payments.read(request)).transfers).toMatchObject([{ final: true, bookedAs: 'deposit' }]);
  });
});

describe('The watcher of a network on which balances are not compared', () => {
  it('stops watching the balance of a request that has ended', async () => {
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
});

describe('A view of a payment request', () => {
  it('shows pending and mined transfers without infinite or missing numbers', async () => {
    const request = await payments.ask(700n);
    payments.send(request, 350n);
    payments.chain.mine();
    payments.send(request, 350n);
    await payments.follow();
    const { organizationId, pointOfSaleId, id } = request;
    const scope = { organizationId, accountId: null };
    const explain = new ExplainPaymentRequest(new ExplanationQueries(payments.database), payments.catalogue);

    const view = await payments.read(request);
    const delivery = { settlementId: undefined, refunds: [] };
    const progress = presentProgress({ ...view, delivery } as never, undefined, {} as never);
    const explained = presentExplanation(await explain.explain(scope, pointOfSaleId, id));

    expect(view.receivedAmount).toBe(700n);
    expect(JSON.stringify([progress, explained])).not.toMatch(/Infinity|NaN|Invalid|null|undefined/);
    const shown = progress.transfers.map(
      ({ confirmations, block_number, block_time, seen_at, detected_at }) => [
        confirmations > 0,
        block_number === undefined,
        block_time === undefined,
        seen_at! <= detected_at,
      ],
    );
    expect(shown.sort()).toEqual([
      [false, true, true, true],
      [true, false, false, true],
    ]);
  });
});
