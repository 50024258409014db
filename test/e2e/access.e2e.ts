import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawn } from '../support/drawn.js';
import { committedDocument, operationsOf, type Operation } from '../support/hostile/hostile-api.js';
import { callersOf, ELSEWHERE, type Caller } from '../support/hostile/hostile-callers.js';
import { call, codeOf } from '../support/hostile/hostile-calls.js';
import { answerOf, exampleOf } from '../support/hostile/hostile-examples.js';
import { inParallel } from '../support/hostile/hostile-http.js';
import { valid } from '../support/hostile/hostile-probes.js';
import { flawOf, withoutRequestId } from '../support/hostile/hostile-verdict.js';
import { aimed, expectedAnswer, headersOf, KINDS, TARGETS, type Kind } from './access/route-matrix.js';
import { HostileWorld } from '../support/hostile/hostile-world.js';
import { otherTenantsSuite } from './access/other-tenants.suite.js';
import { DELETIONS, newAccount, Replicas, REVOCATIONS } from './access/revocations.js';

const MISSING = '0193b2f4-0000-7000-8000-00000000dead';
const ROUNDS = process.env['EVIDENCE'] === 'long' ? 50 : 2;
const FORBIDDEN = ['ip_not_allowed', 'role_required', 'organization_scope_required', 'device_not_allowed'];

const operations = operationsOf(committedDocument());
const isProtected = ({ isPublic }: Operation) => !isPublic;
const byName = (matches: (operation: Operation) => boolean) =>
  operations.filter(matches).map((operation) => [operation.name, operation] as const);

let world: HostileWorld;
let callers: Record<string, Caller>;

beforeAll(async () => {
  world = await HostileWorld.start();
  callers = await callersOf(world);
});

afterAll(async () => {
  expect(await world.service.breaches()).toEqual([]);
  await world.stop();
});

/** Callers whose proofs fail in the same way on each route: some routes are enough for them. */
const isConstant = ([, { answer }]: [string, Caller]) => new Set(operations.map(answer)).size === 1;
const SOME_ROUTES = 3;
/** These are tried on every route all the same. */
const ALWAYS = ['a disabled credential', 'the organization'];

describe('Every route', () => {
  async function differences(operation: Operation, kind: string, caller: Caller): Promise<unknown[]> {
    const answer = await call(world, operation, caller);
    const expected = caller.answer(operation);
    if (codeOf(answer) !== expected) return [[operation.name, kind, codeOf(answer), 'instead of', expected]];
    if (expected === 200) return [];
    const isAsSpecified =
      flawOf(answer) === undefined &&
      answer.status === (FORBIDDEN.includes(String(expected)) ? 403 : 401) &&
      (answer.status !== 401 || answer.headers['www-authenticate'] === 'Bearer');
    return isAsSpecified ? [] : [[operation.name, kind, answer.status, flawOf(answer)]];
  }

  it.each(byName(isProtected))('answers each role and scope by its rights: %s', async (_, operation) => {
    const found: unknown[] = [];
    const all = Object.entries(callers);
    const some = all.filter((one) => !isConstant(one) || ALWAYS.includes(one[0]));

    await inParallel(some, async ([kind, caller]) => {
      found.push(...(await differences(operation, kind, caller)));
    });

    expect(found).toEqual([]);
  });

  it('rejects each kind of wrong proof', async () => {
    const found: unknown[] = [];
    const pairs = Object.entries(callers)
      .filter(isConstant)
      .flatMap((one) =>
        drawn(operations.filter(isProtected), SOME_ROUTES).map((operation) => [operation, ...one] as const),
      );

    await inParallel(pairs, async ([operation, kind, caller]) => {
      found.push(...(await differences(operation, kind, caller)));
    });

    expect(found).toEqual([]);
  });

  it.each(byName(isProtected))(
    'rejects a missing token before it reads the request: %s',
    async (_, operation) => {
      const target = `${operation.path.replaceAll(/\{\w+\}/g, MISSING)}?surprise=1`;
      const body = operation.hasBody ? { body: '{"surprise":' } : {};
      const headers = operation.hasBody ? { 'content-type': 'application/json' } : {};

      const answer = await world.http.send({ method: operation.method, target, headers, ...body });

      expect([answer.status, codeOf(answer)]).toEqual([401, 'token_missing']);
    },
  );

  it.each(byName(({ isPublic }) => isPublic))(
    'accepts any caller if it is public: %s',
    async (_, operation) => {
      const kinds = ['nobody', 'a token of another signing key', 'a disabled credential', 'the organization'];

      const answers = await Promise.all(kinds.map((kind) => call(world, operation, callers[kind]!)));

      expect(answers.map(({ status }) => status)).toEqual(kinds.map(() => answerOf(operation)));
    },
  );

  it('is public only if it is listed here', () => {
    expect(byName(({ isPublic }) => isPublic).map(([name]) => name)).toEqual([
      'GET /.well-known/naspip-keys',
      'GET /health',
      'GET /public/checkout/{sessionId}',
      'POST /public/checkout/{sessionId}/authorization',
      'GET /public/checkout/{sessionId}/payment',
      'POST /public/checkout/{sessionId}/select-asset',
      'GET /public/checkout/{sessionId}/x402',
      'GET /public/payment-links/{code}/checkout',
      'POST /public/payment-links/{code}/checkout',
      'PUT /public/payment-links/{code}/checkout',
      'GET /public/pos/{code}',
      'POST /public/pos/{code}',
      'POST /public/till/pairing',
      'POST /public/till/pairing/subject',
      'POST /v1/auth/token',
    ]);
  });

  it.each(byName(({ method, isPublic }) => method === 'GET' && !isPublic))(
    'rejects HEAD and other methods too: %s',
    async (_, operation) => {
      const { target } = valid(operation, exampleOf(operation, world), {});
      const methods = ['HEAD', 'PATCH', 'OPTIONS'];
      const served = operations.filter(({ path }) => path === operation.path).map(({ method }) => method);
      const answers = await Promise.all(methods.map((method) => world.http.send({ method, target })));

      const expected = methods.map((method) => (['HEAD', ...served].includes(method) ? 401 : 405));
      expect(answers.map(({ status }) => status)).toEqual(expected);
    },
  );
});

describe('The matrix of routes and credentials', () => {
  const SOME_CALLS = 120;
  const TENANTS = ['home organization', 'sibling account', 'foreign organization'];
  /** The tenants with all rights, who are refused only what is not theirs. */
  const isTenant = ({ holder, roles }: Kind) =>
    TENANTS.includes(`${holder.owner} ${holder.scope}`) && roles.length === 2;

  it('returns to each credential, for the things of each tenant, the answer that the rules specify', async () => {
    const isOwned = ({ path, fields }: Operation) =>
      /\{(?:accountID|posID|id)\}/.test(path) || fields.some(({ name }) => /^account_?ID$/i.test(name));
    const callsOf = (kinds: readonly Kind[]) =>
      operations.filter(isProtected).flatMap((operation) =>
        kinds.flatMap((kind) =>
          TARGETS.filter((target) => target === 'home' || isOwned(operation)).map((target) => ({
            ...{ operation, kind, target },
          })),
        ),
      );
    const tenants = KINDS.filter(isTenant);
    const others = KINDS.filter((kind) => !isTenant(kind));
    const some = [...callsOf(tenants), ...drawn(callsOf(others), SOME_CALLS)];
    const made = await headersOf(world, KINDS);
    const headers = new Map(KINDS.map((kind, position) => [kind, made[position]!]));
    const found: unknown[] = [];
    const refusals = new Map<string, Set<string>>();
    const outcomes = new Map<string | number, number>();

    await inParallel(some, async ({ operation, kind, target }) => {
      const expected = expectedAnswer(operation, kind, target);
      const request = valid(operation, aimed(operation, exampleOf(operation, world), target, world), {});
      const answer = await world.http.send({
        ...request,
        headers: { ...request.headers, ...headers.get(kind) },
      });
      const code = codeOf(answer);
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
      if (code !== expected) found.push([operation.name, target, kind, code, 'instead of', expected]);
      // A conflict is of a thing that the caller may see, and says how many others are open.
      if (expected === 200 || expected === 'state_conflict') return;
      const refusal = `${operation.name} ${expected}`;
      refusals.set(refusal, (refusals.get(refusal) ?? new Set()).add(withoutRequestId(answer)));
    });

    expect(found).toEqual([]);
    // A thing of another tenant is refused in the same words as a missing one.
    expect([...refusals].filter(([, words]) => words.size > 1)).toEqual([]);
    expect(outcomes.get(200)).toBeGreaterThan(0);
  }, 900_000);
});

describe('The token exchange', () => {
  it('answers an unknown key, a wrong secret and a key of another environment in the same words', async () => {
    const { keyId, secret } = world.home.credential;
    const gone = await world.credential();
    await world.delete(gone);
    const wrong = [
      { keyId, secret: 'wrong' },
      { keyId, secret: world.foreign.credential.secret },
      { keyId: `svc.dev.${MISSING}`, secret },
      { keyId: keyId.replace('.dev.', '.stg.'), secret },
      { keyId: keyId.replace('.dev.', '.prd.'), secret },
      { keyId: keyId.slice(-36), secret },
      { keyId: keyId.toUpperCase(), secret },
      { keyId: ` ${keyId}`, secret },
      gone,
    ];

    const answers = await Promise.all(wrong.map((pair) => world.exchange(pair)));

    expect(answers.map(codeOf)).toEqual(wrong.map(() => 'credentials_invalid'));
    expect(new Set(answers.map(withoutRequestId)).size).toBe(1);
  });

  it('reveals only to a caller with the secret that the credential is disabled or restricted to other addresses', async () => {
    const disabled = await world.credential();
    await world.disable(disabled);
    const confined = await world.credential({ allowedAddresses: [`${ELSEWHERE}/32`] });

    expect(codeOf(await world.exchange(disabled))).toBe('credential_disabled');
    expect(codeOf(await world.exchange({ ...disabled, secret: 'wrong' }))).toBe('credentials_invalid');
    expect(codeOf(await world.exchange(confined))).toBe('ip_not_allowed');
    expect(codeOf(await world.exchange({ ...confined, secret: 'wrong' }))).toBe('credentials_invalid');
    expect(codeOf(await world.exchange(confined, ELSEWHERE))).toBe(200);
  });
});

describe('A credential that is used on two replicas', () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = new Replicas([world.service.apiUrl, await world.service.anotherApi()]);
  });
  afterAll(() => replicas.close());

  it.each(REVOCATIONS)(
    'is rejected by both from the next request on, and accepted once that is undone: %s',
    async (code, revoke, restore) => {
      const credential = await world.credential({ roles: ['read'] });
      const headers = await world.proofs(credential);

      for (let round = 0; round < ROUNDS; round += 1) {
        const refused = await replicas.during(headers, () => revoke(world, credential));
        const allowed = await replicas.during(headers, () => restore(world, credential));

        expect([refused.after, allowed.after]).toEqual([new Set([code]), new Set([200])]);
        for (const { before } of [refused, allowed])
          expect([200, code]).toEqual(expect.arrayContaining([...before]));
      }
    },
  );

  it.each(DELETIONS)('is unknown to both from the next request on, once deleted %s', async (_, remove) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const credential = await world.credential({ accountId: await newAccount(world), roles: ['read'] });
      const headers = await world.proofs(credential);

      const { before, after } = await replicas.during(headers, () => remove(world, credential));

      expect(after).toEqual(new Set(['credentials_invalid']));
      expect([200, 'credentials_invalid']).toEqual(expect.arrayContaining([...before]));
    }
  });
});

otherTenantsSuite(() => world);
