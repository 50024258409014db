import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR, EURO, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { NOW, LAST_BLOCK, timeOf } from '#contexts/payments/testing/requests/payment-request-builder.js';
import {
  mined,
  storeRequest,
  type StoredRequest,
} from '#contexts/payments/testing/requests/stored-request.js';
import { ParkedRequests } from './parked-requests.js';

const past = LAST_BLOCK + 1;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

let stored: StoredRequest;
beforeEach(async () => {
  stored = await storeRequest();
});
afterEach(() => stored.close());

const amounts = async () =>
  (await stored.rows('amount, counted', 'deposited_at IS NULL')).map(({ amount, counted }) => [
    amount,
    counted,
  ]);

describe('The store of the transfers of a request', () => {
  it('sums up counted transfers, and loads none that is not final of an open request', async () => {
    const balance = { kind: 'balance', transactionHash: null, from: ZERO_ADDRESS } as const;
    const arrived = [mined(40n, 3, { awaitsCrossCheck: true }), mined(30n, 4, { ...balance, index: 0 })];
    await stored.change((request) => arrived.forEach((each) => request.recordTransfers([each], timeOf(5))));

    const { transfers, finalTransfers, lowestNonFinalBlocks, sums, receivedAmount } = (
      await stored.load()
    ).snapshot();

    expect(receivedAmount).toBe(70n);
    expect(sums).toEqual([
      { uniqueAssetId: DOLLAR.uniqueAssetId, network: NETWORK, seen: 70n, final: 0n, finalTo: -1 },
    ]);
    expect([transfers, finalTransfers, lowestNonFinalBlocks]).toEqual([[], [], new Map([[NETWORK, 3]])]);
  });

  it('merges final transfers of a block, up to the last block that was added', async () => {
    await stored.readUpTo(5, mined(10n, 3), mined(20n, 4), mined(1n, 4, { index: 1 }));
    await stored.change((request) =>
      request.recordTransfers([mined(2n, 7), mined(3n, 7, { index: 1 }), mined(4n, 8)], timeOf(8)),
    );
    await stored.platform.database.query(
      'UPDATE payments.transfers SET final = true WHERE block_number <= 7',
    );

    const { finalTransfers, sums } = (await stored.load()).snapshot();

    expect(sums).toMatchObject([{ seen: 40n, final: 31n, finalTo: 5 }]);
    expect(finalTransfers.map(({ blockNumber, index, amount }) => [blockNumber, index, amount])).toEqual([
      [4, 1, 21n],
      [7, 1, 5n],
    ]);
    await stored.platform.database.query('UPDATE payments.transfers SET final = block_number <= 5');
  });

  it('ignores a block in which a transfer is not marked as final', async () => {
    await stored.readUpTo(5, mined(10n, 3));
    await stored.change((request) =>
      request.recordTransfers([mined(50n, 7), mined(60n, 8), mined(3n, 8, { index: 1 })], timeOf(8)),
    );
    await stored.platform.database.query('UPDATE payments.transfers SET final = amount <> 3');

    const { finalTransfers, lowestNonFinalBlocks } = (await stored.load()).snapshot();

    expect(finalTransfers.map(({ amount }) => amount)).toEqual([10n, 50n]);
    expect(lowestNonFinalBlocks).toEqual(new Map([[NETWORK, 8]]));
    await stored.platform.database.query('UPDATE payments.transfers SET final = block_number <= 5');
  });

  it('sums up again if the row changed after the sums were stored', async () => {
    await stored.readUpTo(5, mined(10n, 3), mined(20n, 4));
    await stored.platform.database.query(
      'UPDATE payments.received_sums SET seen_amount = 31, final_amount = 0',
    );
    const before = (await stored.load()).snapshot().sums;

    await stored.platform.database.query('UPDATE payments.payment_requests SET version = version + 1');

    expect(before).toMatchObject([{ seen: 31n }]);
    expect((await stored.load()).snapshot().sums).toMatchObject([{ seen: 30n, final: 30n, finalTo: 4 }]);
  });

  it('marks a transfer in a final block as final unless it awaits its cross-check', async () => {
    await stored.readUpTo(5, mined(10n, 3), mined(20n, 4, { awaitsCrossCheck: true }));

    expect(await stored.rows('final, awaits_cross_check')).toEqual([
      { final: true, awaitsCrossCheck: false },
      { final: false, awaitsCrossCheck: true },
    ]);
  });

  it('keeps a transfer final that is recorded again after a rewind', async () => {
    const late = mined(5n, 4);
    await stored.readUpTo(5, mined(100n, 3), late);
    const { database } = stored.platform;
    const record = () =>
      database.run(async () => {
        await database.queryInTransaction('UPDATE payments.chain_cursors SET final_number = 3');
        await new ParkedRequests(database).recordTransfers(stored.id, { arrived: [late], lost: [] });
        const [row] = await database.queryInTransaction<{ final: boolean }>(
          'SELECT final FROM payments.transfers WHERE id = $1',
          [late.id],
        );
        throw new Error(`final: ${row!.final}`);
      });

    await expect(record()).rejects.toThrow('final: true');
  });

  it('marks a transfer as final after its cross-check if its block is final', async () => {
    const large = mined(100n, 4, { awaitsCrossCheck: true });
    await stored.readUpTo(5, large);
    const before = (await stored.load()).snapshot().status;

    await stored.agreeOn(large);
    await stored.readUpTo(5);

    expect([before, (await stored.load()).snapshot().status]).toEqual(['processing', 'completed']);
    expect(await stored.rows('final, awaits_cross_check')).toEqual([
      { final: true, awaitsCrossCheck: false },
    ]);
  });
});

describe('The store of the deposits of a request', () => {
  it('books a deposit with its event once it is final and does not load it again', async () => {
    await stored.readUpTo(5, mined(100n, 3), mined(5n, 8));
    const waiting = await amounts();

    await stored.readUpTo(9);

    expect(waiting).toEqual([
      [100n, true],
      [5n, false],
    ]);
    expect((await stored.load()).snapshot().transfers).toEqual([]);
    expect(await stored.rows('amount, final, deposited_at')).toEqual([
      { amount: 100n, final: true, depositedAt: null },
      { amount: 5n, final: true, depositedAt: timeOf(9) },
    ]);
    expect((await stored.events('deposit_received')).map(({ data }) => [data.amount, data.reason])).toEqual([
      ['5', 'after_outcome'],
    ]);
  });

  it('loads at most 500 candidates, final blocks first in chain order', async () => {
    const dust = (count: number, block: number) =>
      Array.from({ length: count }, (_, index) =>
        mined(1n, block, { index, uniqueAssetId: EURO.uniqueAssetId }),
      );
    await stored.readUpTo(past);
    await stored.change((request) =>
      request.recordTransfers([...dust(300, past + 3), ...dust(300, past + 2), ...dust(10, past + 1)], NOW),
    );
    await stored.platform.database.query('UPDATE payments.transfers SET final = block_number > $1', [
      past + 1,
    ]);

    const loaded = (await stored.load()).snapshot().transfers;

    expect(loaded).toHaveLength(500);
    expect(Map.groupBy(loaded, ({ blockNumber }) => blockNumber).get(past + 2)).toHaveLength(300);
    expect(loaded.every(({ blockNumber }) => blockNumber > past + 1)).toBe(true);
    await stored.platform.database.query('UPDATE payments.transfers SET final = false');
  });
});

describe('The store of the reversals of a request', () => {
  it('holds the address, keeps the received amount and continues from the remaining amount', async () => {
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
});
