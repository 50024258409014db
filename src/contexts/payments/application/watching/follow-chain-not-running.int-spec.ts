import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close('any'));

const stopped = () =>
  payments.database.query(
    `UPDATE payments.chain_cursors SET moved_at = clock_timestamp() - interval '61 seconds'`,
  );

describe('What verify says of a network that is not read', () => {
  it('is nothing while nobody waits for it', async () => {
    await payments.request();

    await stopped();

    expect(await payments.breaches()).toEqual({});
  });

  it('is that it stands still once a request should have ended a minute ago', async () => {
    await payments.request();
    await payments.platform.advance(480 + 60 + 61);
    const reading = await payments.breaches();

    await stopped();

    expect([reading, Object.keys(await payments.breaches())]).toEqual([{}, ['watchers-keep-reading']]);
  });
});

describe('What verify says of a request that is paid and stays open', () => {
  it('is that it was not decided', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();

    await payments.database.query(`UPDATE payments.transfers SET final = true`);

    expect(Object.keys(await payments.breaches())).toContain('what-is-paid-is-decided');
  });
});
