import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';
import { answered, typedClient } from '#test/e2e/typed-client.js';

const CONFIRMATIONS = 5;
const PAST_THE_DEADLINE = 900;
const ROUNDS = 2;

type Client = Awaited<ReturnType<typeof typedClient>>;

let service: TestService;
let first: Client;
let second: Client;
let asset: string;

let anotherApi: string | undefined;

/** The clients get new tokens, also after the clock was moved past the end of the old ones. */
async function reconnect(): Promise<void> {
  anotherApi ??= await service.anotherApi();
  first = await typedClient(service.apiUrl, service.seed);
  second = await typedClient(anotherApi, service.seed);
}

interface Branch {
  readonly accountID: string;
  readonly posID: string;
}

/** An account with a point of sale that both replicas have collected nothing on, but know. */
async function branch(): Promise<Branch> {
  const { data: account } = answered(await first.POST('/v1/account', { body: { name: 'Branch' } }));
  const config = { merchant: { name: 'Branch' }, payment_options: [asset] };
  const body = { name: 'Till', type: 'online' as const, account_id: account.id, config };
  const { data: pos } = answered(await second.POST('/v1/pos', { body }));
  const opened = { accountID: account.id, posID: pos.id };
  // Refused, but only after the point of sale was found and is remembered.
  for (const client of [first, second])
    expect((await request(client, opened, '0.0000001')).response.status).toBe(400);
  return opened;
}

const request = (client: Client, { posID }: Branch, amount = '1') =>
  client.POST('/v1/pos/{posID}/payment-request', {
    params: { path: { posID } },
    body: { amount, unique_asset_id: asset },
  });
const checkout = (client: Client, { posID }: Branch) =>
  client.POST('/v1/pos/{posID}/payment-request-checkout', {
    params: { path: { posID } },
    body: { amount: '1', coin_code: 'USD' },
  });
const link = (client: Client, { posID }: Branch) =>
  client.POST('/v1/pos/{posID}/payment-link', {
    params: { path: { posID } },
    body: { amount: '1', coin_code: 'USD' },
  });
const webhook = (client: Client, { accountID }: Branch) =>
  client.POST('/v1/account/{accountID}/webhook', {
    params: { path: { accountID } },
    body: { url: 'http://127.0.0.1:9/hook', event_type: 'payment_request' },
  });
const subscription = (client: Client, { posID }: Branch) =>
  client.POST('/v1/pos/{posID}/subscription', {
    params: { path: { posID } },
    body: { amount: '1', unique_asset_id: asset, interval: 'P1M' },
  });
async function remove(client: Client, { accountID }: Branch): Promise<{ status: number; message: string }> {
  const { error, response } = await client.DELETE('/v1/account/{accountID}', {
    params: { path: { accountID } },
  });
  return { status: response.status, message: error?.message ?? '' };
}
async function removePoint(client: Client, { posID }: Branch): Promise<{ status: number; message: string }> {
  const { error, response } = await client.DELETE('/v1/pos/{posID}', { params: { path: { posID } } });
  return { status: response.status, message: error?.message ?? '' };
}
const usesOf = async (client: Client, of: Branch, linkID: string) => [
  await client.GET('/v1/pos/{posID}', { params: { path: { posID: of.posID } } }),
  await request(client, of),
  await checkout(client, of),
  await link(client, of),
  await subscription(client, of),
  await client.PATCH('/v1/pos/{posID}/payment-link/{linkID}/activate', {
    params: { path: { posID: of.posID, linkID } },
  }),
];
const statusOf =
  (client: Client, { posID }: Branch, paymentRequestID: string) =>
  async () => {
    const path = { posID, paymentRequestID };
    const read = await client.GET('/v1/pos/{posID}/payment-request/{paymentRequestID}', { params: { path } });
    return answered(read).data.status as string;
  };

async function pay(address: string): Promise<void> {
  const { unique_asset_id, decimals } = service.assets[0]!;
  const { wallet } = service;
  await wallet.mined(
    await wallet.send(tokenOf(unique_asset_id), address as `0x${string}`, 10n ** BigInt(decimals)),
  );
}

export function deletingAccountsSuite(shared: SharedService): void {
  describe('Deleted accounts', () => {
    beforeAll(async () => {
      service = await shared.shop();
      asset = service.assets[0]!.unique_asset_id;
      await reconnect();
    });

    describe('The deletion of an account', () => {
      it('is rejected while anything is open; then deletes the points of sale, and keeps history and late payments', async () => {
        const closing = await branch();
        const { data: asked } = answered(await request(first, closing));
        const { data: offered } = answered(await link(second, closing));
        const { data: registered } = answered(await webhook(first, closing));
        const { data: agreed } = answered(await subscription(second, closing));

        const refused = await remove(second, closing);

        expect(refused.status).toBe(409);
        for (const what of [
          ...['1 open payment request', '1 active payment link', '1 active webhook', '1 open subscription'],
        ])
          expect(refused.message).toContain(what);
        const { accountID, posID } = closing;
        answered(
          await first.PATCH('/v1/pos/{posID}/payment-link/{linkID}/deactivate', {
            params: { path: { posID, linkID: offered.id } },
          }),
        );
        answered(
          await first.PATCH('/v1/account/{accountID}/webhook/{webhookID}/deactivate', {
            params: { path: { accountID, webhookID: registered.id } },
          }),
        );
        answered(
          await first.POST('/v1/pos/{posID}/subscription/{subscriptionID}/revoke', {
            params: { path: { posID, subscriptionID: agreed.id } },
          }),
        );
        await service.advance(PAST_THE_DEADLINE);
        await eventually(statusOf(first, closing, asked.id), (status) => status === 'expired');

        expect(await remove(first, closing)).toEqual({ status: 200, message: '' });

        for (const client of [first, second]) {
          const gone = [
            await client.GET('/v1/account/{accountID}', { params: { path: { accountID } } }),
            ...(await usesOf(client, closing, offered.id)),
          ];
          expect(gone.map(({ response }) => response.status)).toEqual(gone.map(() => 404));
          expect((await webhook(client, closing)).response.status).toBe(403);
        }
        expect(await statusOf(second, closing, asked.id)()).toBe('expired');
        await pay(asked.address!);
        await service.chain.mine(CONFIRMATIONS);
        const query = { page: 1, page_size: 100 };
        const late = await eventually(
          async () => {
            const { data: page } = answered(await second.GET('/v1/transactions', { params: { query } }));
            return page.data.find(({ payment_request_id: id }) => id === asked.id);
          },
          (transaction) => transaction !== undefined,
        );
        expect(late).toMatchObject({ type: 'deposit', gross_amount: '1' });
      });
    });

    describe('The deletion of a point of sale', () => {
      it('is rejected while anything is open on it, and keeps its history', async () => {
        const closing = await branch();
        const { posID } = closing;
        const { data: asked } = answered(await request(first, closing));
        const { data: offered } = answered(await link(second, closing));
        const { data: agreed } = answered(await subscription(second, closing));

        const refused = await removePoint(second, closing);

        expect(refused.status).toBe(409);
        for (const what of ['payment requests: 1', 'payment links: 1', 'subscriptions: 1'])
          expect(refused.message).toContain(what);
        const path = { posID, linkID: offered.id };
        answered(await first.PATCH('/v1/pos/{posID}/payment-link/{linkID}/deactivate', { params: { path } }));
        const revoked = { posID, subscriptionID: agreed.id };
        answered(
          await first.POST('/v1/pos/{posID}/subscription/{subscriptionID}/revoke', {
            params: { path: revoked },
          }),
        );
        await service.advance(PAST_THE_DEADLINE);
        await reconnect();
        await eventually(statusOf(first, closing, asked.id), (status) => status === 'expired');
        expect(await removePoint(second, closing)).toEqual({ status: 200, message: '' });
        expect((await removePoint(first, closing)).status).toBe(404);
        for (const client of [first, second]) {
          const gone = await usesOf(client, closing, offered.id);
          expect(gone.map(({ response }) => response.status)).toEqual(gone.map(() => 404));
        }
        expect(await statusOf(second, closing, asked.id)()).toBe('expired');
      });
    });

    describe('The deletion of an account during a creation', () => {
      let other: pg.Client;
      beforeAll(async () => {
        await reconnect();
        other = new pg.Client({ connectionString: service.databaseUrl });
        await other.connect();
      });
      afterAll(() => other.end());

      /** Somebody waits for the lock of an account. */
      const somebodyWaits = () =>
        eventually(
          () =>
            service.query(
              `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
           WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
            ),
          ({ length }) => length > 0,
        );

      it.each([
        ['a payment request', request, 404],
        ['a subscription', subscription, 404],
        ['a webhook', webhook, 403],
      ] as const)(
        'makes the creation of %s wait, and rejects it once the account is deleted',
        async (_, create, status) => {
          const contested = await branch();
          await other.query('BEGIN');
          await other.query(`SELECT pg_advisory_xact_lock(hashtextextended('account ' || $1, 0))`, [
            contested.accountID,
          ]);
          await other.query('UPDATE identity.accounts SET deleted_at = now() WHERE id = $1', [
            contested.accountID,
          ]);

          const creation = create(second, contested);
          await somebodyWaits();
          await other.query('COMMIT');

          expect((await creation).response.status).toBe(status);
        },
      );

      it('deletes the account or accepts the creations, whichever is first', async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const contested = await branch();
          const creations = [first, second].flatMap((client) =>
            [request, checkout, link].map((create) => [client, create] as const),
          );

          const [deleted, ...created] = await Promise.all([
            remove(round % 2 === 0 ? first : second, contested).then(({ status }) => status === 200),
            ...creations.map(async ([client, create]) => (await create(client, contested)).response.status),
          ]);

          expect(created.filter((status) => status !== 200 && status !== 404)).toEqual([]);
          expect([deleted, created.includes(200)]).toEqual([deleted, !deleted]);
        }
        const built = await service.query(
          `SELECT r.id FROM payments.payment_requests r JOIN identity.accounts a ON a.id = r.account_id
       WHERE a.deleted_at IS NOT NULL AND r.created_at > a.deleted_at`,
        );
        expect(built).toEqual([]);
      });
    });
  });
}
