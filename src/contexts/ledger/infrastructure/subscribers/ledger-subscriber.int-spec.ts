import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import type { ConfirmedPayment } from '../../domain/movement.js';
import { confirmedPayment } from '../../testing/movements.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';

const UNPOSTED = [
  'ledger-confirmed-posted-once',
  'ledger-deposits-posted-once',
  'ledger-reversals-posted-once',
];

describe('The ledger as a subscriber of payments', () => {
  let ledger: TestLedger;
  beforeEach(async () => {
    // A dead-lettered event is logged as an error, which this test expects.
    Logger.overrideLogger(false);
    ledger = await openLedger();
  });
  afterEach(() => ledger.close(['nothing-is-parked', ...UNPOSTED]));

  const count = async (table: string) =>
    (await ledger.database.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]!.n;

  it('posts every confirmed payment once while several processes listen', async () => {
    const organizationId = newId<OrganizationId>();
    const payments = Array.from({ length: 450 }, () =>
      confirmedPayment({ organizationId, feeBasisPoints: 100 }),
    );
    await ledger.happen(payments);

    await ledger.untilRead(ledger.runner(), ledger.runner());

    expect(await count('ledger.transactions')).toBe(450);
    expect(await count('platform.parked_events')).toBe(0);
    expect(await ledger.breaches()).toEqual({});
  });

  it('skips an impossible event, which an invariant reports, and posts the others', async () => {
    const impossible = confirmedPayment({ receivedAmount: 0n });
    const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };
    const good: ConfirmedPayment[] = [confirmedPayment(owner), confirmedPayment(owner)];
    await ledger.happen([good[0]!, impossible, good[1]!]);

    await ledger.untilRead(ledger.runner());

    expect(
      await ledger.database.query(
        'SELECT payment_request_id FROM ledger.transactions ORDER BY account_sequence',
      ),
    ).toEqual(good.map(({ paymentRequestId }) => ({ paymentRequestId })));
    const breaches = await ledger.breaches();
    expect(Object.keys(breaches)).toEqual(['ledger-confirmed-posted-once']);
    expect(breaches['ledger-confirmed-posted-once']).toMatchObject([
      { paymentRequestId: impossible.paymentRequestId, count: 0 },
    ]);
  });
});
