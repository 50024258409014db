import { Webhook } from 'standardwebhooks';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { answered, typedClient, type Schemas } from './typed-client.js';
import { eventually } from './eventually.js';
import { type TestService } from './service.js';

/** Pays an address on the chain, and makes the payment final. */
export type Payer = (address: string, amount: string) => Promise<void>;

export interface Collected {
  readonly direct: Schemas['PaymentRequestProgress'];
  readonly checkout: Schemas['PublicCheckout'];
  readonly transactions: Schemas['Transaction'][];
  readonly notices: Schemas['PaymentRequestNotice'][];
}

/** Everything a shop does, with a generated client and without one cast. @param asset unique asset id */
export async function collectWithTypedClient(
  service: TestService,
  asset: string,
  pay: Payer,
): Promise<Collected> {
  const client = await typedClient(service.apiUrl, service.seed);
  const query = { page: 1, page_size: 100 };
  const { data: pos } = answered(await client.GET('/v1/pos', { params: { query } }));
  const shop = pos.data.find(({ config }) => config.payment_options.includes(asset))!;
  const ofShop = { posID: shop.id };

  const receiver = await startReceiver();
  try {
    const { data: webhook } = answered(
      await client.POST('/v1/account/{accountID}/webhook', {
        params: { path: { accountID: shop.account_id } },
        body: { url: receiver.url, event_type: 'payment_request' },
      }),
    );

    const { data: asked } = answered(
      await client.POST('/v1/pos/{posID}/payment-request', {
        params: { path: ofShop },
        body: {
          amount: '12.50',
          unique_asset_id: asset,
          order: { items: [{ description: 'Tea', amount: '12.50' }] },
        },
      }),
    );
    await pay(asked.address, asked.amount);
    const direct = await eventually(
      async () => {
        const path = { ...ofShop, paymentRequestID: asked.id };
        const read = await client.GET('/v1/pos/{posID}/payment-request/{paymentRequestID}', {
          params: { path },
        });
        return answered(read).data;
      },
      ({ confirmed_at }) => confirmed_at !== undefined,
    );

    const { data: session } = answered(
      await client.POST('/v1/pos/{posID}/payment-request-checkout', {
        params: { path: ofShop },
        body: { amount: '3', coin_code: 'USD', reference_id: 'typed-1' },
      }),
    );
    const path = { sessionId: session.session_id };
    answered(
      await client.POST('/public/checkout/{sessionId}/select-asset', {
        params: { path },
        body: { unique_asset_id: asset },
      }),
    );
    const { payment } = answered(
      await client.GET('/public/checkout/{sessionId}/payment', { params: { path } }),
    );
    await pay(payment!.address, payment!.amount);
    const checkout = await eventually(
      async () => answered(await client.GET('/public/checkout/{sessionId}', { params: { path } })).data,
      ({ status }) => status === 'completed',
    );

    const ids = [asked.id, session.id];
    const transactions = await eventually(
      async () => {
        const { data: page } = answered(await client.GET('/v1/transactions', { params: { query } }));
        return page.data.filter(({ payment_request_id: id }) => id !== undefined && ids.includes(id));
      },
      ({ length }) => length === ids.length,
    );
    const notices = await noticesTo(receiver, webhook.secret, 2 * ids.length);
    return { direct, checkout, transactions, notices };
  } finally {
    await receiver.close();
  }
}

/** Verified by the library of Standard Webhooks as it comes. */
export async function noticesTo(
  receiver: Receiver,
  secret: string,
  count: number,
): Promise<Schemas['PaymentRequestNotice'][]> {
  const verifier = new Webhook(secret);
  const { requests } = receiver;
  await eventually(
    () => Promise.resolve(requests.length),
    (length) => length >= count,
  );
  return requests.map(({ body, headers }) => {
    verifier.verify(body, textHeaders(headers));
    const notification: Schemas['PaymentRequestNotification'] = JSON.parse(body);
    return notification.data;
  });
}

export function notifiedStatuses(notices: Collected['notices'], id: string): string[] {
  return notices.flatMap((notice) => (notice.payment_request_id === id ? [notice.status] : [])).sort();
}

function textHeaders(headers: Receiver['requests'][number]['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
