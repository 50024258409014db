import { beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { inDays } from '#test/support/hostile/hostile-subscriptions.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';
import { answered, typedClient, type Schemas, type TypedClient } from '#test/e2e/typed-client.js';

const CONFIRMATIONS = 6;

let service: TestService;
let client: TypedClient;
let asset: string;

export function subscribingSuite(shared: SharedService): void {
  describe('Subscriptions', () => {
    beforeAll(async () => {
      service = await shared.shop();
      client = await typedClient(service.apiUrl, service.seed);
      asset = service.assets[0]!.unique_asset_id;
    });

    type Terms = Partial<Schemas['CreateSubscriptionBody']>;

    /** The terms are 12.50 a month unless others are passed. */
    const terms = (others: object = {}) => ({
      ...{ amount: '12.50', unique_asset_id: asset, interval: 'P1M' as const },
      ...others,
    });

    async function offered(others: Terms = {}): Promise<Schemas['Subscription']> {
      const path = { posID: service.seed.posId };
      const created = await client.POST('/v1/pos/{posID}/subscription', {
        ...{ params: { path }, body: terms(others) },
      });
      return answered(created).data;
    }

    /** With a trial, so that nothing is charged meanwhile. */
    const trial = () => offered({ trial_until: inDays(30) });

    async function accept(
      id: string,
      body: Schemas['NamedWalletBody'],
    ): Promise<Schemas['WalletSubscription']> {
      const path = { id };
      return answered(
        await client.POST('/v1/wallets/v1/subscriptions/{id}/accept', { params: { path }, body }),
      ).data;
    }

    async function charges(id: string): Promise<Schemas['Charge'][]> {
      const path = { id };
      const listed = await client.GET('/v1/wallets/v1/subscriptions/{id}/charges', { params: { path } });
      return answered(listed).data.data;
    }

    async function read(subscription: Schemas['Subscription']): Promise<Schemas['Subscription']> {
      const path = { posID: subscription.point_of_sale_id, subscriptionID: subscription.id };
      return answered(await client.GET('/v1/pos/{posID}/subscription/{subscriptionID}', { params: { path } }))
        .data;
    }

    describe('A credential that may only read', () => {
      it('does not receive the URL that can revoke', async () => {
        const operator = new OperatorCommandRunner({ environment: service.environment, actor: 'test' });
        const reader = ['--organization', service.seed.organizationId, '--name', 'Reader', '--roles', 'read'];
        const made = await operator.run<{ api_key: string; api_secret: string }>(
          'credential',
          'create',
          ...reader,
        );
        await operator.close();
        const reading = await typedClient(service.apiUrl, {
          apiKey: made.api_key,
          apiSecret: made.api_secret,
        });
        const offer = await trial();
        const path = { posID: offer.point_of_sale_id, subscriptionID: offer.id };

        const one = await reading.GET('/v1/pos/{posID}/subscription/{subscriptionID}', { params: { path } });
        const list = await reading.GET('/v1/pos/{posID}/subscription', { params: { path } });

        expect(answered(one).data).not.toHaveProperty('url');
        expect(answered(list).data.data.filter((shown) => 'url' in shown)).toEqual([]);
        expect((await read(offer)).url).toBe(offer.url);
      });
    });

    describe('A subscription, from its offer to its end', () => {
      it('is accepted, charged, paid and revoked', async () => {
        const offer = await offered({ reference_id: 'member-1042' });
        const accepted = await accept(offer.id, { wallet_external_id: 'phone-7' });
        const [charge] = await eventually(
          () => charges(offer.id),
          ([first]) => first?.address !== undefined,
        );
        const { wallet, chain } = service;
        const paid = wallet.send(tokenOf(asset), charge!.address as `0x${string}`, 12_500_000n);
        await wallet.mined(await paid);
        await chain.mine(CONFIRMATIONS);

        const [settled, ...others] = await eventually(
          () => charges(offer.id),
          ([first]) => first?.status === 'paid',
        );

        expect(offer).toMatchObject({ status: 'pending', next_charge_at: null, reference_id: 'member-1042' });
        expect(offer.url).toMatch(/\/subscription\/k[A-Za-z0-9_-]{22}$/);
        expect(Object.keys(accepted)).toEqual([
          ...['id', 'status', 'expires_at', 'next_charge_at', 'wallet_external_id'],
        ]);
        expect(accepted).toMatchObject({ status: 'active', expires_at: null, wallet_external_id: 'phone-7' });
        expect(others).toEqual([]);
        expect(settled).toMatchObject({
          ...{ id: charge!.id, payment_request_id: charge!.payment_request_id, amount: '12.5' },
          ...{ payment_status: 'completed', received_amount: '12.5', currency: 'USDC', network: 'sandbox' },
          ...{ closes_at: accepted.next_charge_at, paid_at: expect.any(String) },
        });
        const path = { posID: offer.point_of_sale_id, paymentRequestID: charge!.payment_request_id! };
        const request = await client.GET('/v1/pos/{posID}/payment-request/{paymentRequestID}', {
          params: { path },
        });
        expect(answered(request).data).toMatchObject({ reference_id: 'member-1042', status: 'completed' });

        const revoked = answered(
          await client.POST('/v1/wallets/v1/subscriptions/{id}/revoke', {
            params: { path: { id: offer.id } },
            body: { wallet_external_id: 'phone-7' },
          }),
        ).data;
        expect(revoked).toEqual({ ...accepted, status: 'revoked', next_charge_at: null });
        expect(await read(offer)).toMatchObject({ status: 'revoked', revoked_by: 'wallet' });
        expect((await charges(offer.id))[0]).toEqual(settled);
      });
    });
  });
}
