import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fail, hangUp, ScriptedApi, succeed } from './support/scripted-api.js';

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

const payment = (status: string) => ({ id: 'a', status });
const wait = (options = {}, client = api.client()) =>
  client.pointOfSale('till').waitForPayment('a', { interval: 1, ...options });

describe('Waiting for a payment', () => {
  it.each(['completed', 'overpaid', 'underpaid', 'expired', 'failed'])(
    'ends once it is %s, and not before',
    async (status) => {
      api.answers(...['pending', 'created', 'processing', 'added_later', status].map(payment).map(succeed));

      expect(await wait()).toEqual(payment(status));

      expect(api.requests.map(({ path }) => path)).toEqual(Array(5).fill('/v1/pos/till/payment-request/a'));
    },
  );

  it('ends at what else is waited for', async () => {
    api.answers(...['created', 'processing', 'completed'].map(payment).map(succeed));

    expect(await wait({ until: ({ status }: { status: string }) => status !== 'created' })).toEqual(
      payment('processing'),
    );
  });

  it('outlasts a service that is away for longer than a call is retried', async () => {
    const away = [hangUp, fail(503, 'unavailable'), fail(500, 'internal_error'), hangUp, hangUp, hangUp];
    api.answers(succeed(payment('created')), ...away, ...away, succeed(payment('completed')));

    expect(await wait()).toEqual(payment('completed'));
  });

  it('ends at once where nobody may read it', async () => {
    api.answers(fail(404, 'not_found'));

    await expect(wait()).rejects.toMatchObject({ code: 'not_found' });

    expect(api.requests).toHaveLength(1);
  });

  it('ends in time, and says how it stood', async () => {
    api.answers(succeed(payment('processing')));
    let error: { cause?: unknown } = {};

    // On a busy machine a short time may pass before the first answer.
    for (let timeout = 50; error.cause === undefined || error.cause instanceof Error; timeout *= 2) {
      error = await wait({ timeout }).then(
        () => ({}),
        (thrown: object) => thrown,
      );
    }

    expect(error).toMatchObject({
      ...{ name: 'PaymentCollectionError', code: 'wait_timed_out', cause: payment('processing') },
      nextStep: 'Wait for the webhook, or read the payment later.',
    });
  });

  it('ends in time where nothing answers at all', async () => {
    api.answers(() => undefined);

    await expect(wait({ timeout: 100 })).rejects.toMatchObject({ code: 'wait_timed_out' });
  });

  it('ends when its signal says so', async () => {
    const stopping = new AbortController();
    api.answers((...given) => {
      succeed(payment('created'))(...given);
      setTimeout(() => stopping.abort(new Error('The payer has left.')), 5);
    });

    await expect(wait({ signal: stopping.signal, interval: 60_000 })).rejects.toThrow('The payer has left.');
  });
});
