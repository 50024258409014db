import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { Finalized } from '#contexts/payments/domain/watching/recorded-transfers.js';
import { PostgresRecordedTransfers } from './postgres-recorded-transfers.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

async function somebodyWaits(): Promise<void> {
  const waits = () =>
    payments.platform.database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
  const deadline = Date.now() + 60_000;
  while ((await waits()).length === 0) if (Date.now() > deadline) throw new Error('Nobody waits.');
}

describe('Marking transfers as final', () => {
  it('waits for whoever changes what counts of their request, before it holds any of them', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    payments.chain.mineEmpty(2);
    const operator = new pg.Client({ connectionString: payments.platform.url });
    await operator.connect();
    await operator.query('BEGIN');
    await operator.query('SELECT 1 FROM payments.payment_requests WHERE id = $1 FOR UPDATE', [request.id]);

    const turn = payments.turn().catch((error: unknown) => error);
    await somebodyWaits();
    await operator.query('UPDATE payments.transfers SET counted = counted WHERE payment_request_id = $1', [
      request.id,
    ]);
    await operator.query('COMMIT');
    await operator.end();

    expect(await turn).not.toBeInstanceOf(Error);
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('takes the oldest first, and names the requests of which any was taken', async () => {
    const [first, second] = [await payments.request(), await payments.request()];
    payments.chain.mine(pay(first, 100), pay(first, 100));
    payments.chain.mine(pay(second, 100));
    payments.chain.mine(pay(second, 100));
    await payments.turn();
    const transfers = new PostgresRecordedTransfers(payments.database);
    const newest = (await payments.watched.cursor(NETWORK))!.head.number;

    const answers: Finalized[] = [];
    await expect(
      payments.database.run(async () => {
        for (let turn = 0; turn < 3; turn += 1) answers.push(await transfers.finalize(NETWORK, newest, 3));
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');

    expect(answers).toEqual([
      { requests: expect.arrayContaining([first.id, second.id]), more: true },
      { requests: [second.id], more: false },
      { requests: [], more: false },
    ]);
  });
});
