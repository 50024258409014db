import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { newId, type AccountId, type OrganizationId } from '../../../../shared/kernel/ids.js';
import type { SubscriberRunner } from '../../../../shared/platform/event-log/subscriber-runner.js';
import type { ConfirmedPayment } from '../../domain/payment-in.js';
import { confirmedPayment } from '../../testing/confirmed-payment.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';

describe('The ledger listening to payments', () => {
  let ledger: TestLedger;
  beforeEach(async () => {
    // A parked event is logged as an error, which here is the expected outcome.
    Logger.overrideLogger(false);
    ledger = await openLedger();
  });
  afterEach(() => ledger.close(['nothing-is-parked', 'ledger-confirmed-posted-once']));

  const count = async (table: string) =>
    Number((await ledger.database.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`))[0]!.n);

  /** Other tests' open transactions on the same server delay reading, so one turn may see nothing yet. */
  async function untilRead(...runners: SubscriberRunner[]): Promise<void> {
    const deadline = Date.now() + 15_000;
    for (const runner of runners) await runner.register();
    while (await behind()) {
      if (Date.now() > deadline) throw new Error('The ledger does not get to the end of the log.');
      await Promise.all(runners.map((runner) => runner.turn()));
      await pause(5);
    }
  }
  const behind = async () =>
    (
      await ledger.database.query(`SELECT 1 FROM platform.events e JOIN platform.subscriber_positions p
        ON p.subscriber = 'ledger' AND (e.transaction_id, e.position) > (p.transaction_id, p.position)`)
    ).length > 0;

  it('posts every confirmed payment once while several processes listen', async () => {
    const organizationId = newId<OrganizationId>();
    const payments = Array.from({ length: 450 }, () =>
      confirmedPayment({ organizationId, feeBasisPoints: 100 }),
    );
    await ledger.confirm(payments);

    await untilRead(ledger.runner(), ledger.runner());

    expect(await count('ledger.transactions')).toBe(450);
    expect(await count('platform.parked_events')).toBe(0);
    expect(await ledger.breaches()).toEqual({});
  });

  it('shows addresses in EIP-55', async () => {
    await ledger.confirm([
      confirmedPayment({
        from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
      }),
    ]);

    await untilRead(ledger.runner());

    expect(await ledger.database.query('SELECT from_address, to_address FROM ledger.transactions')).toEqual([
      {
        from_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        to_address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      },
    ]);
  });

  it('sets one impossible fact aside, posts the others and tells by its invariants', async () => {
    const impossible = confirmedPayment({ receivedAmount: 0n });
    const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };
    const good: ConfirmedPayment[] = [confirmedPayment(owner), confirmedPayment(owner)];
    await ledger.confirm([good[0]!, impossible, good[1]!]);

    await untilRead(ledger.runner());

    expect(
      await ledger.database.query(
        'SELECT payment_request_id FROM ledger.transactions ORDER BY account_sequence',
      ),
    ).toEqual(good.map(({ paymentRequestId }) => ({ payment_request_id: paymentRequestId })));
    const breaches = await ledger.breaches();
    expect(Object.keys(breaches)).toEqual(['ledger-confirmed-posted-once']);
    expect(breaches['ledger-confirmed-posted-once']).toMatchObject([
      { payment_request_id: impossible.paymentRequestId, count: '0' },
    ]);
  });

  it('gives a fact a minute on its way, and no more', async () => {
    await ledger.confirm([confirmedPayment()]);
    expect(await ledger.breaches()).toEqual({});

    await ledger.advance(61);

    expect(Object.keys(await ledger.breaches())).toEqual(['ledger-confirmed-posted-once']);
  });
});
