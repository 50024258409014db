import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EURO } from '../../../testing/requests/collecting-world.js';
import { LAST_BLOCK, readTo, timeOf } from '../../../testing/requests/payment-request-builder.js';
import { mined, storeRequest, type StoredRequest } from '../../../testing/requests/stored-request.js';

const past = LAST_BLOCK + 1;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

let stored: StoredRequest;
beforeEach(async () => {
  stored = await storeRequest();
});
afterEach(() => stored.close());

const amounts = async () =>
  (await stored.load()).snapshot().transfers.map(({ amount, counted }) => [amount, counted]);

describe('Storing what a request has received', () => {
  it('gives back every transfer as it was recorded', async () => {
    const balance = { kind: 'balance', transactionHash: null, from: ZERO_ADDRESS } as const;
    const arrived = [mined(40n, 3, { awaitsCrossCheck: true }), mined(30n, 4, { ...balance, index: 0 })];
    await stored.change((request) => arrived.forEach((each) => request.receive(each, timeOf(5))));

    const { transfers, receivedAmount } = (await stored.load()).snapshot();

    expect(receivedAmount).toBe(70n);
    expect(transfers).toEqual(
      arrived.map((each) => ({
        ...{ awaitsCrossCheck: false, counted: true, depositedAt: null, reversedAt: null },
        ...each,
      })),
    );
  });

  it('makes a transfer final that is read in a final block, unless it awaits agreement', async () => {
    await stored.readUpTo(5, mined(10n, 3), mined(20n, 4, { awaitsCrossCheck: true }));

    expect(await stored.rows('final, awaits_cross_check')).toEqual([
      { final: true, awaits_cross_check: false },
      { final: false, awaits_cross_check: true },
    ]);
  });

  it('makes one final whose block is, once it is agreed on', async () => {
    const large = mined(100n, 4, { awaitsCrossCheck: true });
    await stored.readUpTo(5, large);
    const before = (await stored.load()).snapshot().status;

    await stored.change((request) => {
      request.confirmCrossChecked(new Set([large.id]));
      request.judge(readTo(5), timeOf(6));
    });

    expect([before, (await stored.load()).snapshot().status]).toEqual(['processing', 'completed']);
    expect(await stored.rows('final, awaits_cross_check')).toEqual([
      { final: true, awaits_cross_check: false },
    ]);
  });

  it('does not make one final by agreement alone', async () => {
    const large = mined(100n, 7, { awaitsCrossCheck: true });
    await stored.readUpTo(5, large);

    await stored.change((request) => request.confirmCrossChecked(new Set([large.id])));

    expect(await stored.rows('final, awaits_cross_check')).toEqual([
      { final: false, awaits_cross_check: false },
    ]);
  });
});

describe('Storing deposits', () => {
  it('books what was seen before and is final now, with its event, and does not load it again', async () => {
    await stored.readUpTo(5, mined(100n, 3), mined(5n, 8));
    const waiting = await amounts();

    await stored.readUpTo(9);

    // What the outcome was made of decides nothing more.
    expect(waiting).toEqual([[5n, false]]);
    expect(await amounts()).toEqual([]);
    expect(await stored.rows('amount, final, deposited_at')).toEqual([
      { amount: '100', final: true, deposited_at: null },
      { amount: '5', final: true, deposited_at: timeOf(9) },
    ]);
    expect((await stored.events('deposit_received')).map(({ data }) => [data.amount, data.reason])).toEqual([
      ['5', 'after_outcome'],
    ]);
  });

  it('books what is final although it is not marked so yet', async () => {
    await stored.readUpTo(past, mined(5n, past + 1));

    await stored.platform.database.run(async () => {
      await stored.moveCursor(past + 1);
      await stored.change((request) => request.judge(readTo(past + 1), timeOf(past + 1)));
    });

    expect(await stored.rows('final, deposited_at')).toEqual([
      { final: true, deposited_at: timeOf(past + 1) },
    ]);
  });

  it('loads some hundreds that may become deposits at a time, what awaits agreement or is final first', async () => {
    await stored.change((request) => {
      for (let index = 0; index < 600; index += 1)
        request.receive(mined(1n, 4, { index, uniqueAssetId: EURO.uniqueAssetId }), timeOf(5));
    });
    const [large, last] = [mined(7n, 9, { awaitsCrossCheck: true }), mined(8n, 8)].map((each) => ({
      ...each,
      uniqueAssetId: EURO.uniqueAssetId,
    }));
    await stored.change((request) => [large!, last!].forEach((each) => request.receive(each, timeOf(9))));
    await stored.platform.database.query('UPDATE payments.transfers SET final = amount = 8');

    const loaded = (await stored.load()).snapshot().transfers;

    expect(loaded).toHaveLength(500);
    expect(loaded.slice(-2).map(({ id }) => id)).toEqual([last!.id, large!.id]);
    await stored.platform.database.query('UPDATE payments.transfers SET final = false');
  });

  it('books the rest when the request is looked at again', async () => {
    await stored.change((request) => {
      for (let index = 0; index < 600; index += 1)
        request.receive(mined(1n, 4, { index, uniqueAssetId: EURO.uniqueAssetId }), timeOf(5));
    });

    await stored.readUpTo(past);
    const first = await stored.events('deposit_received');
    await stored.readUpTo(past + 1);

    expect([first.length, (await stored.events('deposit_received')).length]).toEqual([500, 600]);
  });
});

describe('Storing reversals', () => {
  it('holds the address, keeps the amount received, and goes on from what still stands', async () => {
    await stored.readUpTo(5, mined(60n, 3), mined(50n, 5));

    const first = await stored.takeBack(4);
    const between = (await stored.load()).snapshot();
    const second = await stored.takeBack(2);

    const after = (await stored.load()).snapshot();
    expect([first, second].map((list) => list.map(({ amount }) => amount))).toEqual([[50n], [60n]]);
    expect([between.receivedAmount, between.reversedAmount]).toEqual([110n, 50n]);
    expect([after.status, after.receivedAmount, after.reversedAmount]).toEqual(['overpaid', 110n, 110n]);
    expect((await stored.events('credit_reversed')).map(({ data }) => [data.before, data.after])).toEqual([
      ['110', '60'],
      ['60', '0'],
    ]);
    const holds = await stored.platform.database.query(
      `SELECT h.network = t.network AND h.address = t.to_address AND h.held_at = t.reversed_at AS fits
       FROM payments.settlement_holds h JOIN payments.transfers t ON t.id = h.transfer_id`,
    );
    expect(holds).toEqual([{ fits: true }, { fits: true }]);
  });

  it('takes a deposit back whole, and nothing off what was received', async () => {
    await stored.readUpTo(5, mined(100n, 3), mined(5n, 5));

    await stored.takeBack(4);

    const { receivedAmount, reversedAmount } = (await stored.load()).snapshot();
    expect([receivedAmount, reversedAmount]).toEqual([100n, 0n]);
    expect((await stored.events('credit_reversed')).map(({ data }) => data)).toMatchObject([
      { postedAs: 'deposit', before: '5', after: '0' },
    ]);
    expect(await stored.rows('canonical, deposited_at IS NOT NULL AS was, reversed_at')).toEqual([
      { canonical: true, was: false, reversed_at: null },
      { canonical: false, was: true, reversed_at: timeOf(300) },
    ]);
  });

  it('books it anew where it comes back on the other fork', async () => {
    await stored.readUpTo(5, mined(100n, 5));
    await stored.takeBack(4);

    await stored.readUpTo(6, mined(100n, 6));

    expect(await stored.rows('canonical, counted, deposited_at')).toEqual([
      { canonical: false, counted: false, deposited_at: null },
      { canonical: true, counted: false, deposited_at: timeOf(6) },
    ]);
  });
});
