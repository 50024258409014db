import { describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { pay, withReadPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

let payments: Payments;
withReadPayments((opened) => {
  payments = opened;
});

describe('Reading final blocks a second time', () => {
  it('goes on reading while the second endpoint is away; only finality waits', async () => {
    const request = await payments.request();
    const away = payments.chain.anotherEndpoint();
    away.beforeAnswer = () => {
      throw new ChainUnavailable(NETWORK, 'HTTP status 503');
    };
    payments.secondEndpoint.others.set(NETWORK, away);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(5);
    await payments.follow();
    const waiting = await payments.read(request);

    away.beforeAnswer = () => undefined;
    await payments.follow();

    expect([waiting.status, waiting.receivedAmount]).toEqual(['processing', 10_000_000n]);
    expect(payments.alerts.noted).toContain('finality waits for 1');
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('goes on reading while the second endpoint has just fallen silent; nothing is final by the first alone', async () => {
    payments.chain.mineEmpty(5);
    await payments.follow();
    const request = await payments.request();
    payments.secondEndpoint.isMissed = true;
    for (let turn = 1; turn <= 6; turn += 1) await payments.turn();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(5);
    await payments.follow();
    const waiting = await payments.read(request);

    payments.secondEndpoint.isMissed = false;
    await payments.follow();

    expect([waiting.status, waiting.receivedAmount]).toEqual(['processing', 10_000_000n]);
    expect((await payments.read(request)).status).toBe('completed');
  });
});
