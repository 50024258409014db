import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeNaspipToken } from '#shared/naspip/naspip-token.js';
import { committedDocument, operationsOf } from '#test/support/hostile/hostile-api.js';
import { answerTo } from '#test/support/hostile/hostile-calls.js';
import type { Proofs } from '#test/support/hostile/hostile-probes.js';
import type { Tenant } from '#test/support/hostile/hostile-tenants.js';
import type { HostileWorld } from '#test/support/hostile/hostile-world.js';

const MISSING = '0193b2f4-0000-7000-8000-00000000dead';
const operations = operationsOf(committedDocument());
const READ = 'GET /v1/pos/{posID}/payment-request/{paymentRequestID}';
const SUBSCRIPTION = '/v1/pos/{posID}/subscription/{subscriptionID}';

let world: HostileWorld;

/** The matrix of routes names whole paths of one tenant; these paths and lists mix several. */
export function otherTenantsSuite(open: () => HostileWorld): void {
  describe('Tenants', () => {
    let ofHome: Proofs;
    let ofSibling: Proofs;
    let ofForeign: Proofs;

    beforeAll(async () => {
      world = open();
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

    describe('A thing below the wrong parent', () => {
      it.each([
        [READ, 'paymentRequestID', ({ paymentRequestId }: Tenant) => paymentRequestId],
        [`${READ}/explain`, 'paymentRequestID', ({ paymentRequestId }: Tenant) => paymentRequestId],
        [`GET ${SUBSCRIPTION}`, 'subscriptionID', ({ subscriptions }: Tenant) => subscriptions.endedId],
        [
          `POST ${SUBSCRIPTION}/revoke`,
          'subscriptionID',
          ({ subscriptions }: Tenant) => subscriptions.endedId,
        ],
      ])('is not found below another point of sale: %s', async (name, parameter, idOf) => {
        const { home, sibling, foreign } = world;
        const below = (posID: string, id: string) => answer(name, ofHome, { posID, [parameter]: id });
        const missing = await below(home.posId, MISSING);

        expect(missing).toContain('404 {"status":"error","code":"not_found"');
        expect(await below(home.posId, idOf(foreign))).toBe(missing);
        for (const posID of [foreign.posId, sibling.posId, MISSING])
          expect(await below(posID, idOf(home))).toBe(missing);
        expect(await below(sibling.posId, idOf(sibling))).toContain('"success"');
      });

      it.each(['PATCH activate', 'DELETE delete', 'POST rotate-secret', 'POST test'])(
        'is not found below another account, by a route of a webhook: %s',
        async (act) => {
          const name = act.replace(' ', ' /v1/account/{accountID}/webhook/{webhookID}/');
          const { sibling, foreign, webhooks } = world;
          const webhookID = webhooks.webhookId;
          const missing = await answer(name, ofHome, { webhookID: MISSING });

          expect(missing).toContain('404 {"status":"error","code":"not_found"');
          expect(await answer(name, ofHome, { webhookID, accountID: sibling.accountId })).toBe(missing);
          expect(await answer(name, ofForeign, { webhookID, accountID: foreign.accountId })).toBe(missing);
        },
      );
    });

    describe('A list', () => {
      it.each(['/v1/pos?page=1&page_size=50', '/v1/account?page=1'])(
        'contains only the things of the credential’s organization or account: %s',
        async (target) => {
          const { home, sibling, foreign } = world;
          const accountsIn = async (proofs: Proofs) => {
            const { text } = await world.http.send({ method: 'GET', target, headers: proofs });
            return [home, sibling, foreign].map(({ accountId }) => text.includes(accountId));
          };

          expect(await accountsIn(ofHome)).toEqual([true, true, false]);
          expect(await accountsIn(ofSibling)).toEqual([false, true, false]);
          expect(await accountsIn(ofForeign)).toEqual([false, false, true]);
        },
      );
    });

    describe('A point of sale that changes during a creation', () => {
      interface Session {
        token: string;
        session_id: string;
        merchant: { name: string };
      }

      it('shows the same merchant in the token and on the page of a checkout', async () => {
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
          return [merchant.name, shown.merchant.name, decodeNaspipToken(token).payload.order?.merchant?.name];
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
