import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decode } from '#shared/naspip/naspip-token.js';
import { committedDocument, operationsOf } from '#test/support/hostile/hostile-api.js';
import { codeOf, answerTo } from '#test/support/hostile/hostile-calls.js';
import type { Proofs } from '#test/support/hostile/hostile-probes.js';
import type { Tenant } from '#test/support/hostile/hostile-tenants.js';
import { withoutRequestId } from '#test/support/hostile/hostile-verdict.js';
import type { HostileWorld } from '#test/support/hostile/hostile-world.js';

const MISSING = '0193b2f4-0000-7000-8000-00000000dead';
const operations = operationsOf(committedDocument());

let world: HostileWorld;

export function otherTenantsSuite(open: () => HostileWorld): void {
  describe('Tenants', () => {
    beforeAll(() => {
      world = open();
    });

    afterAll(async () => {
      expect(await world.service.breaches()).toEqual([]);
    });

    describe('Another tenant’s things', () => {
      let ofHome: Proofs;
      let ofSibling: Proofs;
      let ofForeign: Proofs;

      beforeAll(async () => {
        ofHome = await world.proofs(world.home.credential);
        ofSibling = await world.proofs(world.sibling.credential);
        ofForeign = await world.proofs(world.foreign.credential);
      });

      const answer = (name: string, proofs: Proofs, path: Record<string, string>) =>
        answerTo(
          world,
          operations.find((operation) => operation.name === name)!,
          proofs,
          path,
        );
      const POS = 'POST /v1/pos/{posID}/payment-request';
      const CHECKOUT = `${POS}-checkout`;
      const SUBSCRIBE = 'POST /v1/pos/{posID}/subscription';
      const SUBSCRIPTIONS = 'GET /v1/pos/{posID}/subscription';
      const LIST = 'GET /v1/pos/{posID}/payment-request';
      const READ = 'GET /v1/pos/{posID}/payment-request/{paymentRequestID}';
      const EXPLAIN = `${READ}/explain`;
      const WEBHOOK = 'POST /v1/account/{accountID}/webhook';
      const pathTo = ({ posId, paymentRequestId }: Tenant) => ({
        posID: posId,
        paymentRequestID: paymentRequestId,
      });

      it.each([POS, CHECKOUT, LIST, SUBSCRIBE, SUBSCRIPTIONS])(
        'are a missing point of sale to all but their account: %s',
        async (create) => {
          const missing = await answer(create, ofHome, { posID: MISSING });

          expect(missing).toContain('404 {"status":"error","code":"not_found"');
          expect(await answer(create, ofHome, { posID: world.foreign.posId })).toBe(missing);
          expect(await answer(create, ofForeign, { posID: world.home.posId })).toBe(missing);
          expect(await answer(create, ofSibling, { posID: world.home.posId })).toBe(missing);
          expect(await answer(create, ofSibling, { posID: MISSING })).toBe(missing);
          expect(await answer(create, ofSibling, { posID: world.sibling.posId })).toContain('"success"');
        },
      );

      it.each(['GET /v1/pos/{posID}', 'PUT /v1/pos/{posID}'])(
        'are a missing point of sale to all but their account, to read or to change: %s',
        async (name) => {
          const missing = await answer(name, ofHome, { posID: MISSING });

          expect(missing).toContain('404 {"status":"error","code":"not_found"');
          expect(await answer(name, ofHome, { posID: world.foreign.posId })).toBe(missing);
          expect(await answer(name, ofForeign, { posID: world.home.posId })).toBe(missing);
          expect(await answer(name, ofSibling, { posID: world.home.posId })).toBe(missing);
          expect(await answer(name, ofSibling, { posID: MISSING })).toBe(missing);
        },
      );

      it.each(['GET /v1/account/{accountID}', 'GET /v1/account/{accountID}/settlement-addresses'])(
        'are a missing account to an organization, and to an account one that it may not name: %s',
        async (name) => {
          const { home, sibling, foreign } = world;
          const missing = await answer(name, ofHome, { accountID: MISSING });
          const refused = await answer(name, ofSibling, { accountID: MISSING });

          expect(missing).toContain('404 {"status":"error","code":"not_found"');
          expect(await answer(name, ofHome, { accountID: foreign.accountId })).toBe(missing);
          expect(await answer(name, ofForeign, { accountID: home.accountId })).toBe(missing);
          expect(refused).toContain('403 {"status":"error","code":"account_not_allowed"');
          expect(await answer(name, ofSibling, { accountID: home.accountId })).toBe(refused);
          expect(await answer(name, ofSibling, { accountID: foreign.accountId })).toBe(refused);
          expect(await answer(name, ofSibling, { accountID: sibling.accountId })).toContain('"success"');
          expect(await answer(name, ofHome, { accountID: sibling.accountId })).toContain('"success"');
        },
      );

      it.each([READ, EXPLAIN])(
        'are a missing payment request, under whichever point of sale: %s',
        async (read) => {
          const { home, sibling, foreign } = world;
          const missing = await answer(read, ofHome, { posID: home.posId, paymentRequestID: MISSING });

          expect(missing).toContain('404 {"status":"error","code":"not_found"');
          expect(await answer(read, ofHome, pathTo(foreign))).toBe(missing);
          expect(await answer(read, ofHome, { ...pathTo(foreign), posID: home.posId })).toBe(missing);
          expect(await answer(read, ofHome, { ...pathTo(home), posID: foreign.posId })).toBe(missing);
          expect(await answer(read, ofHome, { ...pathTo(home), posID: sibling.posId })).toBe(missing);
          expect(await answer(read, ofHome, { ...pathTo(home), posID: MISSING })).toBe(missing);
          expect(await answer(read, ofForeign, pathTo(home))).toBe(missing);
          expect(await answer(read, ofSibling, pathTo(home))).toBe(missing);
          expect(await answer(read, ofHome, pathTo(sibling))).toContain('"success"');
        },
      );

      it.each([
        'GET /v1/pos/{posID}/subscription/{subscriptionID}',
        'POST /v1/pos/{posID}/subscription/{subscriptionID}/revoke',
      ])('are a missing subscription, under whichever point of sale: %s', async (name) => {
        const { home, sibling, foreign } = world;
        const to = ({ posId, subscriptions }: Tenant) => ({
          posID: posId,
          subscriptionID: subscriptions.endedId,
        });
        const missing = await answer(name, ofHome, { posID: home.posId, subscriptionID: MISSING });

        expect(missing).toContain('404 {"status":"error","code":"not_found"');
        expect(await answer(name, ofHome, to(foreign))).toBe(missing);
        expect(await answer(name, ofHome, { ...to(foreign), posID: home.posId })).toBe(missing);
        expect(await answer(name, ofHome, { ...to(home), posID: sibling.posId })).toBe(missing);
        expect(await answer(name, ofForeign, to(home))).toBe(missing);
        expect(await answer(name, ofSibling, to(home))).toBe(missing);
        expect(await answer(name, ofHome, to(sibling))).toContain('"success"');
      });

      it.each([
        'POST /v1/wallets/v1/subscriptions/{id}/accept',
        'POST /v1/wallets/v1/subscriptions/{id}/revoke',
        'GET /v1/wallets/v1/subscriptions/{id}/charges',
      ])('are a missing subscription, to wallets too: %s', async (name) => {
        const { home, sibling, foreign } = world;
        const to = ({ subscriptions }: Tenant) => ({ id: subscriptions.endedId });
        const missing = await answer(name, ofHome, { id: MISSING });

        expect(missing).toContain('404 {"status":"error","code":"not_found"');
        expect(await answer(name, ofHome, to(foreign))).toBe(missing);
        expect(await answer(name, ofForeign, to(home))).toBe(missing);
        expect(await answer(name, ofSibling, to(home))).toBe(missing);
        expect(await answer(name, ofSibling, to(sibling))).toContain('"success"');
        expect(await answer(name, ofHome, to(sibling))).toContain('"success"');
      });

      it('are an account that may not be named, existing or not', async () => {
        const missing = await answer(WEBHOOK, ofHome, { accountID: MISSING });

        expect(missing).toContain('403 {"status":"error","code":"account_not_allowed"');
        expect(await answer(WEBHOOK, ofHome, { accountID: world.foreign.accountId })).toBe(missing);
        expect(await answer(WEBHOOK, ofForeign, { accountID: world.home.accountId })).toBe(missing);
        expect(await answer(WEBHOOK, ofHome, { accountID: world.sibling.accountId })).toContain('"success"');
      });

      it.each([
        'PATCH /v1/account/{accountID}/webhook/{webhookID}/activate',
        'DELETE /v1/account/{accountID}/webhook/{webhookID}/delete',
        'POST /v1/account/{accountID}/webhook/{webhookID}/rotate-secret',
        'POST /v1/account/{accountID}/webhook/{webhookID}/test',
      ])('are a missing webhook, under whichever account they are asked for: %s', async (name) => {
        const { sibling, foreign } = world;
        const webhookID = world.webhooks.webhookId;
        const missing = await answer(name, ofHome, { webhookID: MISSING });

        expect(missing).toContain('404 {"status":"error","code":"not_found"');
        expect(await answer(name, ofHome, { webhookID, accountID: sibling.accountId })).toBe(missing);
        expect(await answer(name, ofForeign, { webhookID, accountID: foreign.accountId })).toBe(missing);
      });

      it.each([
        ['/v1/pos?page=1&page_size=5&account_id=', 'account_id'],
        ['/v1/transactions?page=1&page_size=5&accountID=', 'accountID'],
      ])('are not named in %s by anybody but their organization', async (start) => {
        const { home, sibling, foreign } = world;
        const ask = (proofs: Proofs, accountId: string) =>
          world.http.send({ method: 'GET', target: start + accountId, headers: proofs });
        const missing = withoutRequestId(await ask(ofHome, MISSING));

        expect(missing).toContain('403 {"status":"error","code":"account_not_allowed"');
        for (const [proofs, accountId] of [
          [ofHome, foreign.accountId],
          [ofForeign, home.accountId],
          [ofSibling, home.accountId],
          [ofSibling, sibling.accountId],
          [ofSibling, MISSING],
        ] as const) {
          expect(withoutRequestId(await ask(proofs, accountId))).toBe(missing);
        }
        expect(codeOf(await ask(ofHome, sibling.accountId))).toBe(200);
      });

      it.each(['/v1/pos?page=1&page_size=50', '/v1/account?page=1', '/v1/transactions?page=1&page_size=50'])(
        'are not in %s',
        async (target) => {
          const { home, sibling, foreign } = world;
          const list = async (proofs: Proofs) =>
            (await world.http.send({ method: 'GET', target, headers: proofs })).text;
          const holds = (text: string, tenant: Tenant) => text.includes(tenant.accountId);
          const [toHome, toSibling, toForeign] = [
            await list(ofHome),
            await list(ofSibling),
            await list(ofForeign),
          ];

          expect([holds(toHome, foreign), holds(toForeign, home), holds(toForeign, sibling)]).toEqual([
            false,
            false,
            false,
          ]);
          expect(holds(toSibling, home)).toBe(false);
          if (target.startsWith('/v1/transactions')) return;
          expect([holds(toHome, home), holds(toHome, sibling), holds(toSibling, sibling)]).toEqual([
            true,
            true,
            true,
          ]);
        },
      );
    });

    describe('A point of sale that is changed under a creation', () => {
      interface Session {
        token: string;
        session_id: string;
        merchant: { name: string };
      }

      it('shows one merchant in token and pages, that of its present description', async () => {
        const headers = {
          'content-type': 'application/json',
          ...(await world.proofs(world.home.credential)),
        };
        const ask = async (method: string, target: string, body?: object) => {
          const sent = body === undefined ? {} : { body: JSON.stringify(body) };
          return (await world.http.send({ method, target, headers, ...sent })).json!['data'];
        };
        const target = `/v1/pos/${world.accounts.idlePosId}`;
        const { name, config } = (await ask('GET', target)) as { name: string; config: { merchant: object } };
        // A token names a merchant where there is an order.
        const price = { amount: '1', coin_code: 'USD', order: { description: 'Tea' } };
        const create = () => ask('POST', `${target}/payment-request-checkout`, price) as Promise<Session>;
        const named = async ({ token, session_id: id, merchant }: Session) => {
          const shown = (await ask('GET', `/public/checkout/${id}`)) as Session;
          return [merchant.name, shown.merchant.name, decode(token).payload.order?.merchant?.name];
        };
        await create();

        // As another replica does: this one still remembers what it was.
        await world.service.query(
          `UPDATE point_of_sale.points_of_sale SET merchant_name = 'Renamed', version = version + 1 WHERE id = $1`,
          [world.accounts.idlePosId],
        );
        const after = await create();
        const rename = (to: string) =>
          ask('PUT', target, { name, config: { ...config, merchant: { name: to } } });
        const created = (async () => {
          const sessions: Session[] = [];
          for (let n = 0; n < 10; n += 1) sessions.push(...(await Promise.all([create(), create()])));
          return sessions;
        })();
        for (let n = 0; n < 10; n += 1) await rename(`Shop ${n}`);
        const beside = await created;

        expect(await named(after)).toEqual(['Renamed', 'Renamed', 'Renamed']);
        // Changed at each of three attempts, a creation is refused, and makes no session.
        expect(beside.filter(Boolean).length).toBeGreaterThan(0);
        for (const session of beside.filter(Boolean)) expect(new Set(await named(session)).size).toBe(1);
      });
    });
  });
}
