import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fail, ScriptedApi, succeed } from './support/scripted-api.js';

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

const wait = (options = {}) => api.client().pointOfSale('till').waitForPayment('a', options);

describe('A call', () => {
  it('ends when its signal aborts, even while it waits', async () => {
    const stopping = new AbortController();
    const failure = fail(429, 'rate_limited', { headers: { 'retry-after': '20' } });
    api.answers((...given) => {
      failure(...given);
      setTimeout(() => stopping.abort(new Error('The shop closes.')), 10);
    });

    await expect(api.client().get('/v1/account', { signal: stopping.signal })).rejects.toThrow(
      'The shop closes.',
    );

    expect(api.requests).toHaveLength(1);
  });

  it('reports which host did not answer, and why', async () => {
    const client = api.client();
    const { url } = api;
    await api.stop();

    await expect(client.get('/v1/account')).rejects.toMatchObject({
      status: undefined,
      message: expect.stringMatching(new RegExp(`^No response from ${url} after 4 attempts: .*ECONNREFUSED`)),
    });
    api = await ScriptedApi.start();
  });
});

describe('Waiting for a payment', () => {
  it('times out with the last known payment', async () => {
    const payment = { id: 'a', status: 'processing' };
    api.answers(succeed(payment));
    let error: { cause?: unknown } = {};

    // On a busy machine, a short timeout may end before the first response.
    for (let timeout = 50; error.cause === undefined || error.cause instanceof Error; timeout *= 2) {
      error = await wait({ timeout, interval: 1 }).then(
        () => ({}),
        (thrown: object) => thrown,
      );
    }

    expect(error).toMatchObject({ name: 'PaymentCollectionError', code: 'wait_timed_out', cause: payment });
  });

  it('ends when its signal aborts', async () => {
    const stopping = new AbortController();
    api.answers((...given) => {
      succeed({ status: 'created' })(...given);
      setTimeout(() => stopping.abort(new Error('The payer has left.')), 5);
    });

    await expect(wait({ signal: stopping.signal, interval: 60_000 })).rejects.toThrow('The payer has left.');
  });
});
