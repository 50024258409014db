import { describe, expect, it } from '@jest/globals';
import { isPaid, type PaymentCollectionClient, type Schemas } from '../src/index.js';

const path = { accountID: 'account', posID: 'till' };

/** Shows which calls compile. Never called. */
export async function compiles(client: PaymentCollectionClient): Promise<void> {
  const accounts: Schemas['AccountPage'] = await client.get('/v1/account');
  const health: Schemas['Health'] = await client.get('/health');
  for await (const { id } of client.list('/v1/transactions')) void (id satisfies string);
  for await (const { url } of client.list('/v1/account/{accountID}/webhook/list', { path }))
    void (url satisfies string);
  for await (const { data } of client.events()) {
    if (data.notification_type === 'payment_request_deposit') void (data.reason satisfies string);
    // @ts-expect-error the field is unknown in other event types
    void (data.reason satisfies string);
  }
  for await (const { data, fulfilled } of client.events({ event_type: 'payment_request' }))
    if (data.notification_type === 'payment_request_status_update') void isPaid({ ...data, fulfilled });
  const refund: Schemas['Refund'] = await client.refunds.create('payment', { claim: {}, amount: '2.5' });
  const ended: boolean = isPaid(await client.pointOfSale('till').expirePaymentRequest('payment'));
  void [accounts, health, refund.claim_url satisfies string | undefined, ended];

  // @ts-expect-error the path does not exist
  await client.get('/v1/nothing');
  // @ts-expect-error the path does not support POST
  await client.post('/v1/assets');
  // @ts-expect-error the path parameter is required
  await client.get('/v1/account/{accountID}');
  // @ts-expect-error the path parameter of a list is required
  client.list('/v1/account/{accountID}/webhook/list');
  // @ts-expect-error an account is not a list
  client.list('/v1/account/{accountID}', { path });
  // @ts-expect-error the client manages pagination
  client.list('/v1/transactions', { query: { page: 2 } });
  // @ts-expect-error an amount must be a string
  await client.pointOfSale('till').createPaymentRequest({ amount: 12.5, unique_asset_id: 'n1_t2' });
  const offer = { amount: 9, unique_asset_id: 'n1_t2', interval: 'P1M' };
  // @ts-expect-error a subscription's amount must be a string
  await client.pointOfSale('till').createSubscription(offer);
  // @ts-expect-error approval accepts no idempotency key
  await client.refunds.approve('refund', { idempotencyKey: 'a' });
  // @ts-expect-error the operation accepts no idempotency key
  await client.post('/v1/naspip/read', { body: { token: 'naspip;' }, idempotencyKey: 'a' });
}

describe('The client types', () => {
  it('compiles valid calls, and no others', () => {
    expect(compiles).toBeInstanceOf(Function);
  });
});
