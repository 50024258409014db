import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { committedDocument, operationsOf } from '../support/hostile-api.js';
import { codeOf, told } from '../support/hostile-calls.js';
import type { Proofs } from '../support/hostile-probes.js';
import type { Tenant } from '../support/hostile-tenants.js';
import { withoutRequestId } from '../support/hostile-verdict.js';
import { HostileWorld } from '../support/hostile-world.js';

const MISSING = '0193b2f4-0000-7000-8000-00000000dead';
const operations = operationsOf(committedDocument());

let world: HostileWorld;

beforeAll(async () => {
  world = await HostileWorld.start();
});

afterAll(async () => {
  expect(await world.service.breaches()).toEqual([]);
  await world.stop();
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
    told(
      world,
      operations.find((operation) => operation.name === name)!,
      proofs,
      path,
    );
  const POS = 'POST /v1/pos/{posID}/payment-request';
  const CHECKOUT = `${POS}-checkout`;
  const LIST = 'GET /v1/pos/{posID}/payment-request';
  const READ = 'GET /v1/pos/{posID}/payment-request/{paymentRequestID}';
  const EXPLAIN = `${READ}/explain`;
  const WEBHOOK = 'POST /v1/account/{accountID}/webhook';
  const pathTo = ({ posId, paymentRequestId }: Tenant) => ({
    posID: posId,
    paymentRequestID: paymentRequestId,
  });

  it.each([POS, CHECKOUT, LIST])(
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
