import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { openSettling, type TestSettling } from '#contexts/settlement/testing/settling/open-settling.js';
import {
  confirmedEvent,
  paidOutAddress,
  payoutsFinal,
  payoutsSeen,
  someAddress,
} from '#contexts/settlement/testing/settling/payout-events.js';

let settling: TestSettling;
beforeAll(async () => {
  Logger.overrideLogger(false);
  settling = await openSettling();
  const [waits, isPaid, wasPaid] = [someAddress(), someAddress(), someAddress()];
  const at = new Date();
  const final = payoutsSeen(wasPaid, [paidOutAddress(wasPaid, 200n)], at);
  await settling.happen(
    ...[waits, isPaid, wasPaid].map((address) => confirmedEvent(address, 200n, at)),
    ...[payoutsSeen(isPaid, [paidOutAddress(isPaid, 200n)], at), final, payoutsFinal(final)],
  );
});
afterAll(() => settling.close());

describe('The check of the invariants of settlements', () => {
  const brokenBy = async (sql: string) => {
    let broken: string[] = [];
    const undone = new Error('undone');
    await settling.database
      .run(async () => {
        await settling.database.queryInTransaction('SET LOCAL session_replication_role = replica');
        await settling.database.queryInTransaction(sql);
        broken = await settling.breaches();
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    return broken.sort();
  };

  const RECORDS = 'settlement-records-are-of-payouts';
  const EDGES = 'settlement-events-follow-edges';
  const ADDRESSES = 'settled-addresses-are-of-payouts';
  const STATUS = `UPDATE settlement.settlements SET status = 'completed' WHERE status = 'processing'`;
  const EVENTS = `DELETE FROM platform.events WHERE type = 'settlement.status_changed' AND data ->> 'status' = 'processing'`;

  it.each([
    ['the status', STATUS, [EDGES, RECORDS]],
    ['the address', `UPDATE settlement.settlements SET settlement_address = '0x1'`, [ADDRESSES, RECORDS]],
    [
      'a deposit address',
      `UPDATE settlement.settled_addresses SET address = '0x1' WHERE number = 1`,
      [ADDRESSES],
    ],
    ['the events', EVENTS, [EDGES]],
  ])('detects a change of rows: %s', async (_, sql, invariants) => {
    expect(await settling.breaches()).toEqual([]);
    expect(await brokenBy(sql)).toEqual(invariants);
  });

  it('detects payouts that have no record after a minute', async () => {
    const one = someAddress();
    await settling.database.run(async () => {
      await settling.eventLog.append([
        payoutsSeen(one, [paidOutAddress(one, 1n)], new Date(Date.now() - 61_000)),
      ]);
    });

    expect(await settling.breaches()).toEqual([
      'settlement-records-are-of-payouts',
      'settled-addresses-are-of-payouts',
    ]);
    await settling.untilRead();
  });
});
