import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { openSettling, type TestSettling } from '#contexts/settlement/testing/settling/open-settling.js';
import {
  confirmed,
  paidOut,
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
  const final = payoutsSeen(wasPaid, [paidOut(wasPaid, 200n)], at);
  await settling.happen(
    ...[waits, isPaid, wasPaid].map((address) => confirmed(address, 200n, at)),
    ...[payoutsSeen(isPaid, [paidOut(isPaid, 200n)], at), final, payoutsFinal(final)],
  );
});
afterAll(() => settling.close());

describe('The invariants of settlements', () => {
  const brokenBy = async (sql: string) => {
    let broken: string[] = [];
    const undone = new Error('undone');
    await settling.database
      .run(async () => {
        await settling.database.write('SET LOCAL session_replication_role = replica');
        await settling.database.write(sql);
        broken = await settling.breaches();
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    return broken.sort();
  };

  it.each([
    [
      'what waits',
      'UPDATE settlement.waiting SET amount = amount + 1 WHERE amount > 0',
      ['settlement-waiting-is-what-events-say'],
    ],
    [
      'the amount of a record',
      'UPDATE settlement.settlements SET amount = amount + 1',
      ['settlement-amounts-are-sums', 'settlement-events-follow-edges', 'settlement-records-are-of-payouts'],
    ],
    [
      'its status',
      `UPDATE settlement.settlements SET status = 'completed' WHERE status = 'processing'`,
      ['settlement-events-follow-edges', 'settlement-records-are-of-payouts'],
    ],
    [
      'where it went',
      `UPDATE settlement.settlements SET settlement_address = settlement_address || 'x'`,
      ['settled-addresses-are-of-payouts', 'settlement-records-are-of-payouts'],
    ],
    [
      'an address of it',
      `UPDATE settlement.settled_addresses SET address = '0x' || repeat('f', 40) WHERE number = 1`,
      ['settled-addresses-are-of-payouts'],
    ],
    [
      'its events',
      `DELETE FROM platform.events WHERE type = 'settlement.status_changed' AND data ->> 'status' = 'processing'`,
      ['settlement-events-follow-edges'],
    ],
  ])('notice a change of %s', async (_, sql, invariants) => {
    expect(await settling.breaches()).toEqual([]);
    expect(await brokenBy(sql)).toEqual(invariants);
  });

  it('notice payouts of which there is no record after a minute', async () => {
    const one = someAddress();
    await settling.database.run(async () => {
      await settling.eventLog.append([payoutsSeen(one, [paidOut(one, 1n)], new Date(Date.now() - 61_000))]);
    });

    expect(await settling.breaches()).toEqual([
      'settlement-records-are-of-payouts',
      'settled-addresses-are-of-payouts',
    ]);
    await settling.untilRead();
  });
});
