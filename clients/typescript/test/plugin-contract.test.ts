import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  checkoutCases,
  deliveryOf,
  orderCases,
  PREVIOUS,
  SECRET,
} from '../../plugin-contract/test/support.js';
import { verifyWebhook } from '../src/index.js';
import { ScriptedApi, succeed } from './support/scripted-api.js';

const IDS = { payment: 'request-1', order: 'order-1', pointOfSale: 'pos-1' };
const A_WEEK = 7 * 24 * 3_600;
const webhooks = orderCases.flatMap(({ name, events }) =>
  events.filter(({ on }) => on === 'webhook').map((event) => [name, event] as const),
);

let api: ScriptedApi;
beforeEach(async () => {
  api = await ScriptedApi.start();
});
afterEach(() => api.stop());

describe('The contract of the shop plugins', () => {
  it.each(webhooks)('has the webhooks that the client accepts: %s', (_, event) => {
    const delivery = deliveryOf(event, IDS);
    const verified = () => verifyWebhook({ ...delivery, secret: [SECRET, PREVIOUS], tolerance: A_WEEK });

    if (event.answer === 'refused') expect(verified).toThrow();
    else expect(verified().data).toMatchObject(JSON.parse(JSON.stringify(event.notice)) as object);
  });

  it.each(checkoutCases)('has the checkouts that the client sends unchanged: $name', async ({ body }) => {
    api.answers(succeed({ id: 'request-1' }));

    await api
      .client()
      .pointOfSale('pos-1')
      .createCheckout(body as never);

    expect(JSON.parse(api.requests[0]!.body)).toEqual(body);
  });
});
