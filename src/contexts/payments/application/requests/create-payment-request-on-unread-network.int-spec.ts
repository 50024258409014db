import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NETWORK } from '../../testing/requests/collecting-world.js';
import { openPayments, type Payments } from '../../testing/requests/open-payments.js';

const UNAVAILABLE = { kind: 'unavailable' };

let payments: Payments;
let maxLagSeconds: number;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
  payments.chain.mine();
  await payments.follow();
  maxLagSeconds = payments.catalogue.network(NETWORK)!.maxLagSeconds;
});
afterEach(() => payments.close());

const stored = async () =>
  (await payments.platform.database.query('SELECT id FROM payments.payment_requests')).length;

/** Stores that another endpoint has contradicted the first for so long. */
async function disagreeSince(seconds: number): Promise<void> {
  await payments.platform.database.query(
    `UPDATE payments.chain_cursors
     SET disagreement = 'another endpoint has another block.',
         disagrees_since = clock_timestamp() - make_interval(secs => $1)`,
    [seconds],
  );
}

describe('A payment request on a network that is not read as it should be', () => {
  it('is unavailable while its network is read further behind than it may be', async () => {
    await payments.platform.advance(maxLagSeconds + 120);

    await expect(payments.request()).rejects.toMatchObject(UNAVAILABLE);
    expect(await stored()).toBe(0);
  });

  it('is taken while its network is read less far behind, and again once it has caught up', async () => {
    await payments.platform.advance(maxLagSeconds - 120);
    await payments.request();
    await payments.platform.advance(240);
    await expect(payments.request()).rejects.toMatchObject(UNAVAILABLE);

    payments.chain.mineAt(await payments.platform.clock.now());
    await payments.follow();
    await payments.request();

    expect(await stored()).toBe(2);
  });

  it('is unavailable while its endpoints disagree for longer than they may', async () => {
    await disagreeSince(maxLagSeconds + 120);

    await expect(payments.request()).rejects.toMatchObject(UNAVAILABLE);
    expect(await stored()).toBe(0);
  });

  it('is taken while they disagree for less long', async () => {
    await disagreeSince(maxLagSeconds - 120);

    await payments.request();

    expect(await stored()).toBe(1);
  });
});
