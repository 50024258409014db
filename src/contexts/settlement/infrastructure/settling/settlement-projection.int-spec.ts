import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { openSettling, type TestSettling } from '../../testing/settling/open-settling.js';
import {
  confirmedEvent,
  OTHER_SETTLEMENT_ADDRESS,
  paidOutAddress,
  payoutsFinal,
  payoutsRemoved,
  payoutsSeen,
  someAddress,
} from '../../testing/settling/payout-events.js';

let settling: TestSettling;
beforeAll(async () => {
  Logger.overrideLogger(false);
  settling = await openSettling();
});
afterAll(() => settling.close());

const page = { page: 1, pageSize: 10 };
const at = new Date();
const waitingAt = async (address: string) => (await settling.waiting())[address];
const statuses = async (id: string) =>
  (
    await settling.database.query<{ status: string }>(
      `SELECT data ->> 'status' AS status FROM platform.events
       WHERE type = 'settlement.status_changed' AND aggregate_id = $1 ORDER BY position`,
      [id],
    )
  ).map(({ status }) => status);

describe('Money waiting at a deposit address', () => {
  it('equals bookings less payouts plus removed payouts', async () => {
    const one = someAddress();
    await settling.happen(confirmedEvent(one, 1_000n, at));
    expect(await waitingAt(one.address)).toBe(1_000n);

    const seen = payoutsSeen(one, [paidOutAddress(one, 1_000n)], at);
    await settling.happen(seen);
    expect(await waitingAt(one.address)).toBeUndefined();

    await settling.happen(payoutsRemoved(seen));
    expect(await waitingAt(one.address)).toBe(1_000n);

    // A payout may include funds that are booked later.
    await settling.happen(payoutsSeen(one, [paidOutAddress(one, 1_300n)], at));
    expect(await waitingAt(one.address)).toBe(-300n);
  });

  it('decreases by reversed transfers and increases by deposits', async () => {
    const one = someAddress();
    const { data, ...event } = confirmedEvent(one, 500n, at);
    const reversal = {
      transferId: one.paymentRequestId,
      pointOfSaleId: one.accountId,
      postedAs: 'payment_in',
    };
    await settling.happen(
      { ...event, data },
      {
        ...event,
        type: 'payment_request.credit_reversed',
        data: { ...data, ...reversal, before: '500', after: '200' },
      },
      {
        ...event,
        type: 'payment_request.deposit_received',
        data: { ...data, ...reversal, amount: '7', reason: 'late' },
      },
    );

    expect(await waitingAt(one.address)).toBe(207n);
    // The test reverses and deposits funds without a stored transfer.
    settling.makesUp(['ledger-reversals-posted-once', 'ledger-deposits-posted-once']);
  });

  it('excludes money delivered directly to the merchant', async () => {
    const [one, other] = [someAddress(), someAddress()];
    const { data, ...event } = confirmedEvent(one, 500n, at);

    await settling.happen({ ...event, data: { ...data, delivered: true } }, confirmedEvent(other, 1n, at));

    expect([await waitingAt(one.address), await waitingAt(other.address)]).toEqual([undefined, 1n]);
  });

  it('has waited since it rose above zero', async () => {
    const one = someAddress();
    const since = async () =>
      (
        await settling.database.query<{ at: Date | null }>(
          'SELECT waiting_since AS at FROM settlement.waiting WHERE address = $1',
          [one.address],
        )
      )[0]?.at;
    await settling.happen(confirmedEvent(one, 100n, at));
    const first = await since();
    await settling.happen(confirmedEvent(one, 100n, at));
    expect(await since()).toEqual(first);

    await settling.happen(payoutsSeen(one, [paidOutAddress(one, 200n)], at));
    expect(await since()).toBeUndefined();
  });
});

describe('A settlement record', () => {
  it('is processing when payouts are seen and completed when they are final', async () => {
    const one = someAddress();
    const seen = payoutsSeen(one, [paidOutAddress(one, 1_000n)], at);
    await settling.advance(3_600);
    await settling.happen(seen);
    const [record] = (await settling.queries.page(one, page)).items;
    expect(record).toMatchObject({ status: 'processing', amount: 990n, feeAmount: 10n, paymentCount: 1 });

    await settling.advance(-3_600);
    await settling.happen(payoutsFinal(seen));

    const [completed] = (await settling.queries.page(one, page)).items;
    expect(completed).toMatchObject({ id: record!.id, status: 'completed', updatedAt: record!.createdAt });
    expect(await statuses(record!.id)).toEqual(['processing', 'completed']);
  });

  it('fails when its block is removed, even if completed, and stays failed beside its successor', async () => {
    const one = someAddress();
    const first = payoutsSeen(one, [paidOutAddress(one, 1_000n)], at);
    const second = payoutsSeen(one, [paidOutAddress(one, 1_000n)], at);
    await settling.happen(first, payoutsFinal(first), payoutsRemoved(first, true), second);

    const { items } = await settling.queries.page(one, page);

    expect(items.map(({ status }) => status).sort()).toEqual(['failed', 'processing']);
    const hash = second.data.transactionHash.toUpperCase().replace('0X', '0x');
    expect((await settling.queries.page(one, page, hash)).total).toBe(1);
    const other = { ...one, accountId: someAddress().accountId };
    expect((await settling.queries.page(other, page, hash)).total).toBe(0);
    expect(await statuses(items.find(({ status }) => status === 'failed')!.id)).toEqual([
      'processing',
      'completed',
      'failed',
    ]);
    const shown = await settling.database.query<{ id: string }>(
      'SELECT settlement_id AS id FROM settlement.public_settled_requests WHERE payment_request_id = $1',
      [one.paymentRequestId],
    );
    expect(shown).toEqual([{ id: items.find(({ status }) => status === 'processing')!.id }]);
  });

  it('exists for each asset and settlement address, with its addresses in order', async () => {
    const one = someAddress();
    const another = someAddress(one);
    await settling.happen(
      payoutsSeen(
        one,
        [
          paidOutAddress(one, 100n),
          paidOutAddress(another, 200n),
          paidOutAddress(one, 5n, { uniqueAssetId: 'nsandbox_tETH', currency: 'ETH', decimals: 18 }),
          paidOutAddress(another, 7n, { settlementAddress: OTHER_SETTLEMENT_ADDRESS }),
        ],
        at,
      ),
    );

    const { items, total } = await settling.queries.page(one, page);

    expect(total).toBe(3);
    expect(items.find(({ amount }) => amount === 297n)!.payments.map(({ amount }) => amount)).toEqual([
      99n,
      198n,
    ]);
    const shown = items.map(({ currency, amount, feeAmount, payments }) => [
      currency,
      amount,
      feeAmount,
      payments.length,
    ]);
    expect(shown.sort()).toEqual([
      ['ETH', 5n, 0n, 1],
      ['USDC', 297n, 3n, 2],
      ['USDC', 7n, 0n, 1],
    ]);
  });

  it('stores a thousand payments in as many statements as one, and shows a hundred', async () => {
    const count = async (size: number) => {
      const owner = someAddress();
      const seen = payoutsSeen(
        owner,
        Array.from({ length: size }, () => paidOutAddress(someAddress(owner), 100n)),
        at,
      );
      const before = settling.counted.statements;
      await settling.happen(seen);
      const statements = settling.counted.statements - before;
      const [record] = (await settling.queries.page(owner, page)).items;
      return [statements, record!.paymentCount, record!.payments.length];
    };

    const [few, ...one] = await count(1);
    const [many, ...thousand] = await count(1_000);

    expect(one).toEqual([1, 1]);
    expect(thousand).toEqual([1_000, 100]);
    expect(many).toBe(few);
  });

  it('lists the settlements of an account newest first, and none of other accounts', async () => {
    const owner = someAddress();
    for (let n = 1n; n <= 3n; n += 1n) {
      await settling.happen(payoutsSeen(owner, [paidOutAddress(someAddress(owner), n)], at));
    }
    await settling.happen(payoutsSeen(someAddress(), [paidOutAddress(someAddress(), 9n)], at));
    const atOnce = someAddress();
    await settling.happen(
      ...[1n, 2n, 3n].map((n) => payoutsSeen(atOnce, [paidOutAddress(someAddress(atOnce), n)], at)),
    );

    const first = await settling.queries.page(owner, { page: 1, pageSize: 2 });
    const past = await settling.queries.page(owner, { page: 3, pageSize: 2 });
    const whole = { ...owner, accountId: null };
    const byCursor = [owner, whole].map((scope) =>
      readByCursor((request) => settling.queries.page(scope, request)),
    );

    expect(first.items.map(({ amount }) => amount)).toEqual([3n, 2n]);
    expect([first.total, past]).toEqual([3, { items: [], total: 3 }]);
    for (const read of byCursor) expect((await read).map(({ amount }) => amount)).toEqual([3n, 2n, 1n]);
    expect(await readByCursor((request) => settling.queries.page(atOnce, request))).toHaveLength(3);
    const { accountId } = someAddress();
    expect(await settling.queries.page({ ...owner, accountId }, page)).toEqual({ items: [], total: 0 });
  });

  it('rejects changes in the database', async () => {
    const refused = (sql: string) => expect(settling.database.query(sql)).rejects.toThrow();

    await refused('UPDATE settlement.settlements SET amount = amount + 1');
    await refused(`UPDATE settlement.settlements SET status = 'processing'`);
    await refused('DELETE FROM settlement.settlements');
    await refused('UPDATE settlement.settled_addresses SET to_fee = 0');
  });
});
