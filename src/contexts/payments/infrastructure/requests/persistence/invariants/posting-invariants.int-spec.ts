import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timeOf } from '#contexts/payments/testing/requests/payment-request-builder.js';
import {
  mined,
  storeRequest,
  type StoredRequest,
} from '#contexts/payments/testing/requests/stored-request.js';
import { paymentsInvariants } from './payments-invariants.js';

let stored: StoredRequest;
/**
 * Stores an outcome of 40 and 60 (the 60 is reversed), deposits of 5 and 7 (the 7 is reversed), and 9 that are not
 * final.
 */
beforeAll(async () => {
  stored = await storeRequest();
  await stored.readUpTo(3, mined(40n, 2), mined(5n, 3, { uniqueAssetId: 'other' }));
  await stored.readUpTo(6, mined(60n, 5), mined(7n, 6));
  await stored.takeBack(4);
  await stored.change((request) => request.recordTransfers([mined(9n, 5)], timeOf(7)));
});
afterAll(() => stored.close());

/** Returns the names of the invariants that report the statements, which are then rolled back. */
async function noticed(...tampered: readonly string[]): Promise<string[]> {
  const { database } = stored.platform;
  const found: string[] = [];
  await expect(
    database.run(async () => {
      for (const statement of tampered) await database.queryInTransaction(statement);
      for (const { name, breaches } of paymentsInvariants)
        if ((await database.query(breaches)).length > 0) found.push(name);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  return found;
}

const transfers = (amount: number, change: string) =>
  `UPDATE payments.transfers SET ${change} WHERE amount = ${amount}`;
const freeEvents = 'ALTER TABLE platform.events DISABLE TRIGGER events_append_only';
const twice = (type: string) =>
  `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
   SELECT gen_random_uuid(), type, aggregate_id, organization_id, account_id, occurred_at, data
   FROM platform.events WHERE type = 'payment_request.${type}'`;
/** Changes events, as if a bug had written them. */
const changedEvent = (type: string, change: string) =>
  `UPDATE platform.events SET data = data || '${change}' WHERE type = 'payment_request.${type}'`;
const READ_ON = `UPDATE payments.chain_cursors SET final_time = platform.now() + interval '61 seconds'`;

describe('The check of the invariants of booked money', () => {
  it('accepts outcomes, deposits and reversals', async () => {
    expect(await noticed()).toEqual([]);
    expect(await noticed(READ_ON)).toEqual([]);
  });

  it.each<[string, ...string[]]>([
    ['final-money-is-booked one-event-for-each-deposit', transfers(5, 'deposited_at = NULL'), READ_ON],
    ['one-event-for-each-deposit', twice('deposit_received')],
    ['one-event-for-each-deposit', freeEvents, changedEvent('deposit_received', '{"amount": "6"}')],
    [
      'one-event-for-each-reversal',
      freeEvents,
      `DELETE FROM platform.events WHERE type = 'payment_request.credit_reversed'`,
    ],
    ['one-event-for-each-reversal', freeEvents, changedEvent('credit_reversed', '{"after": "1"}')],
    ['reversed-money-is-held', 'DELETE FROM payments.settlement_holds'],
    [
      'reversed-money-is-held',
      `UPDATE payments.settlement_holds SET transfer_id = (SELECT id FROM payments.transfers WHERE amount = 40)
       WHERE transfer_id = (SELECT id FROM payments.transfers WHERE amount = 7)`,
    ],
    ['what-was-posted-never-just-disappears', transfers(5, 'canonical = false')],
    ['received-amount-is-what-counts', transfers(40, 'canonical = false, counted = false')],
    [
      'outcomes-rest-on-final-transfers state-changes-are-edges',
      `UPDATE payments.payment_requests SET status = 'failed', confirmed_at = NULL`,
    ],
  ])('detects a change of rows: breach of %s after %s', async (names, ...tampered) => {
    expect(await noticed(...tampered)).toEqual(expect.arrayContaining(names.split(' ')));
  });

  it('allows 60 seconds for booking after finality', async () => {
    const unbooked = [
      transfers(5, 'deposited_at = NULL'),
      `UPDATE payments.chain_cursors
       SET final_time = (SELECT detected_at FROM payments.transfers WHERE amount = 5) + interval '60 seconds'`,
    ];

    expect(await noticed(...unbooked)).not.toContain('final-money-is-booked');
  });

  it('lets a transfer and its request wait for the cross-check', async () => {
    const waits = [
      transfers(40, 'final = false, awaits_cross_check = true'),
      transfers(5, 'counted = true, deposited_at = NULL'),
      `UPDATE payments.payment_requests SET status = 'processing', confirmed_at = NULL, amount = 5`,
      READ_ON,
    ];
    const names = [
      'finality-follows-the-cursor',
      'what-is-paid-is-decided',
      'nothing-stays-past-its-deadline',
    ];

    const found = await noticed(...waits);
    const agreed = await noticed(...waits, transfers(40, 'awaits_cross_check = false'));
    const marked = await noticed(...waits, transfers(40, 'awaits_cross_check = false, final = true'));

    expect(names.filter((name) => found.includes(name))).toEqual([]);
    expect(names.filter((name) => agreed.includes(name) || marked.includes(name))).toEqual(names);
  });
});
