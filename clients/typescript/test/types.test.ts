import { describe, expect, it } from '@jest/globals';
import type { PaymentCollectionClient, Schemas } from '../src/index.js';

const path = { accountID: 'account', posID: 'till' };

/** Nothing calls this function: it shows which calls compile and which do not. */
export async function compiles(client: PaymentCollectionClient): Promise<void> {
  const accounts: Schemas['AccountPage'] = await client.get('/v1/account');
  const health: Schemas['Health'] = await client.get('/health');
  for await (const { id } of client.list('/v1/transactions')) void (id satisfies string);
  for await (const { url } of client.list('/v1/account/{accountID}/webhook/list', { path }))
    void (url satisfies string);
  for await (const { data } of client.events()) {
    if (data.notification_type === 'payment_request_deposit') void (data.reason satisfies string);
    // @ts-expect-error of others it may be anything, as a field that is added later
    void (data.reason satisfies string);
  }
  void [accounts, health];

  // @ts-expect-error no such path
  await client.get('/v1/nothing');
  // @ts-expect-error there is no POST of it
  await client.post('/v1/assets');
  // @ts-expect-error the path has a parameter
  await client.get('/v1/account/{accountID}');
  // @ts-expect-error the path of the list has one too
  client.list('/v1/account/{accountID}/webhook/list');
  // @ts-expect-error an account is no list
  client.list('/v1/account/{accountID}', { path });
  // @ts-expect-error pages are the client's business
  client.list('/v1/transactions', { query: { page: 2 } });
  // @ts-expect-error an amount is a text
  await client.pointOfSale('till').createPaymentRequest({ amount: 12.5, unique_asset_id: 'n1_t2' });
  // @ts-expect-error the operation takes no key
  await client.post('/v1/naspip/read', { body: { token: 'naspip;' }, idempotencyKey: 'a' });
}

describe('The types', () => {
  it('say what every call takes and answers, as the check of types proves', () => {
    expect(compiles).toBeInstanceOf(Function);
  });
});
