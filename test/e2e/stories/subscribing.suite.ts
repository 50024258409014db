import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorSession } from '#app/operator/operator-session.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { inDays } from '#test/support/hostile/hostile-subscriptions.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';
import { answered, typedClient, type Schemas, type TypedClient } from '#test/support/typed-client.js';

const CONFIRMATIONS = 6;
const MISSING = '0193b2f4-0000-7000-8000-00000000dead';

let service: TestService;
let client: TypedClient;
let asset: string;
export function subscribingSuite(shared: SharedService): void {
  describe('A subscription from its offer to its end', () => {
    beforeAll(async () => {
      service = await shared.shop();
      client = await typedClient(service.apiUrl, service.seed);
      asset = service.assets[0]!.unique_asset_id;
    });
    afterAll(async () => {
      expect(await service.breaches()).toEqual([]);
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

    /** A refusal has a status, a code, and each field with the rule that it breaks. */
    async function refusal(path: string, body: unknown): Promise<readonly [number, string, string, string]> {
      // The generated client would not send what the document does not allow.
      const send = client.POST as unknown as (
        path: string,
        options: object,
      ) => Promise<{ response: Response; error?: Schemas['ErrorEnvelope'] }>;
      const { response, error } = await send(path, { body });
      const fields = (error?.errors ?? []).map(({ field, rule }) => `${field} ${rule}`).join(', ');
      return [response.status, error?.code ?? '', fields, error?.message ?? ''];
    }

    const TABLES = [
      ...['subscriptions', 'wallets', 'status_history', 'charges', 'charge_requests'].map(
        (table) => `subscriptions.${table}`,
      ),
      ...['payments.payment_requests', 'platform.events', 'platform.due_work'],
    ];
    const ROWS = TABLES.map(
      (table) =>
        `SELECT '${table}' AS name, md5(string_agg(t::text, ',' ORDER BY t::text)) AS rows FROM ${table} t`,
    ).join(' UNION ALL ');

    /** Runs it. @returns its answer, and whether all rows are as they were */
    async function changingNothing<T>(run: () => Promise<T>): Promise<[T, boolean]> {
      const before = await service.query(ROWS);
      const answer = await run();
      const after = await service.query(ROWS);
      return [answer, JSON.stringify(before) === JSON.stringify(after)];
    }

    describe('A wallet', () => {
      const path = (id: string, what: 'accept' | 'revoke') => `/v1/wallets/v1/subscriptions/${id}/${what}`;

      it.each([
        [
          'both ids',
          { wallet_external_id: 'a', wallet_id: MISSING },
          'wallet_external_id exactly_one, wallet_id exactly_one',
        ],
        ['neither id', {}, 'wallet_external_id exactly_one, wallet_id exactly_one'],
        ['another field', { wallet_external_id: 'a', wallet: 'b' }, 'wallet unknown_field'],
        ['an empty id', { wallet_external_id: '' }, 'wallet_external_id text'],
        ['a control character', { wallet_external_id: 'a\u0007' }, 'wallet_external_id text'],
        ['129 characters', { wallet_external_id: 'a'.repeat(129) }, 'wallet_external_id text'],
        ['a number', { wallet_external_id: 7 }, 'wallet_external_id text'],
        ['an id that is none', { wallet_id: 'wallet-1' }, 'wallet_id uuid'],
      ])('neither accepts nor revokes by %s', async (_, body, fields) => {
        const { id } = await trial();

        for (const what of ['accept', 'revoke'] as const) {
          const [[status, , named, message], isUnchanged] = await changingNothing(() =>
            refusal(path(id, what), body),
          );

          expect([status, named, isUnchanged]).toEqual([400, fields, true]);
          for (const field of fields.split(', ')) expect(message).toContain(field.split(' ')[0]);
        }
      });

      it('is named by the id that this service assigned, and by no other', async () => {
        const [first, second] = [await trial(), await trial()];
        const external = '\u{1f6d2}'.repeat(128);
        await accept(first.id, { wallet_external_id: external });
        const { wallet_id } = await read(first);

        const [unknown, isUnchanged] = await changingNothing(() =>
          refusal(path(second.id, 'accept'), { wallet_id: MISSING }),
        );
        const accepted = await accept(second.id, { wallet_id: wallet_id!.toUpperCase() });

        expect([unknown.slice(0, 2), isUnchanged]).toEqual([[404, 'not_found'], true]);
        expect(accepted).toMatchObject({ status: 'active', wallet_external_id: external });
      });

      it('accepts again as before, and no other one does', async () => {
        const { id } = await trial();
        const first = await accept(id, { wallet_external_id: 'first' });

        const again = await accept(id, { wallet_external_id: 'first' });
        const [byAnother, isUnchanged] = await changingNothing(() =>
          refusal(path(id, 'accept'), { wallet_external_id: 'second' }),
        );

        expect(again).toEqual(first);
        expect([byAnother.slice(0, 2), isUnchanged]).toEqual([[409, 'state_conflict'], true]);
        expect(byAnother[3]).toContain('Another wallet has already accepted');
      });

      it('revokes nothing that it has not accepted', async () => {
        const [pending, active, other] = [await trial(), await trial(), await trial()];
        await accept(active.id, { wallet_external_id: 'first' });
        await accept(other.id, { wallet_external_id: 'second' });

        for (const { id } of [pending, active]) {
          const [refused, isUnchanged] = await changingNothing(() =>
            refusal(path(id, 'revoke'), { wallet_external_id: 'second' }),
          );

          expect([refused.slice(0, 2), isUnchanged]).toEqual([[409, 'state_conflict'], true]);
          expect(refused[3]).toContain('has not accepted');
        }
      });

      it('accepts nothing that was revoked, or that has expired', async () => {
        const expires_at = inDays(1 / 720);
        const [taken, late] = [await trial(), await offered({ expires_at })];
        const posID = taken.point_of_sale_id;
        const ofTaken = { params: { path: { posID, subscriptionID: taken.id } } };
        const revoke = '/v1/pos/{posID}/subscription/{subscriptionID}/revoke' as const;
        const revoked = answered(await client.POST(revoke, ofTaken)).data;
        await service.advance(180);
        const expired = await eventually(
          () => read(late),
          ({ status }) => status === 'expired',
        );

        for (const [id, why] of [
          [taken.id, 'was revoked'],
          [late.id, 'has expired'],
        ] as const) {
          const [refused, isUnchanged] = await changingNothing(() =>
            refusal(path(id, 'accept'), { wallet_external_id: 'first' }),
          );

          expect([refused.slice(0, 2), isUnchanged]).toEqual([[409, 'state_conflict'], true]);
          expect(refused[3]).toContain(why);
        }
        expect(revoked).toMatchObject({ status: 'revoked', revoked_by: 'merchant', expires_at: null });
        expect(expired).toMatchObject({ next_charge_at: null, expires_at });
      });
    });

    describe('A credential that may only read', () => {
      it('is not shown the address that can revoke', async () => {
        const operator = new OperatorSession({ environment: service.environment, actor: 'test' });
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
