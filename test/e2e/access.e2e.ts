import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawn } from '../support/drawn.js';
import { committedDocument, operationsOf, type Operation } from '../support/hostile/hostile-api.js';
import { callersOf, ELSEWHERE, type Caller } from '../support/hostile/hostile-callers.js';
import { call, codeOf } from '../support/hostile/hostile-calls.js';
import { answerOf, exampleOf } from '../support/hostile/hostile-examples.js';
import { inParallel } from '../support/hostile/hostile-http.js';
import { valid } from '../support/hostile/hostile-probes.js';
import { flawOf, withoutRequestId } from '../support/hostile/hostile-verdict.js';
import { aimed, expectedAnswer, headersOf, KINDS, TARGETS } from '../support/route-matrix.js';
import { HostileWorld } from '../support/hostile/hostile-world.js';
import { otherTenantsSuite } from './access/other-tenants.suite.js';
import { DELETIONS, newAccount, Replicas, REVOCATIONS } from '../support/revocations.js';

const MISSING = '0193b2f4-0000-7000-8000-00000000dead';
const ROUNDS = process.env['EVIDENCE'] === 'long' ? 50 : 5;
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

describe('Every route', () => {
  it.each(byName(isProtected))('answers each kind of caller what it may know: %s', async (_, operation) => {
    const found: unknown[] = [];

    await inParallel(Object.entries(callers), async ([kind, caller]) => {
      const answer = await call(world, operation, caller);
      const expected = caller.answer(operation);
      if (codeOf(answer) !== expected) found.push([kind, codeOf(answer), 'instead of', expected]);
      if (expected === 200) return;
      const flaw = flawOf(answer);
      if (flaw !== undefined) found.push([kind, flaw]);
      if (answer.status !== (FORBIDDEN.includes(String(expected)) ? 403 : 401))
        found.push([kind, answer.status]);
      if (answer.status === 401 && answer.headers['www-authenticate'] !== 'Bearer')
        found.push([kind, 'no challenge']);
    });

    expect(found).toEqual([]);
  });

  it.each(byName(isProtected))(
    'asks who calls before it looks at what is asked: %s',
    async (_, operation) => {
      const target = `${operation.path.replaceAll(/\{\w+\}/g, MISSING)}?surprise=1`;
      const body = operation.hasBody ? { body: '{"surprise":' } : {};
      const headers = operation.hasBody ? { 'content-type': 'application/json' } : {};

      const answer = await world.http.send({ method: operation.method, target, headers, ...body });

      expect([answer.status, codeOf(answer)]).toEqual([401, 'token_missing']);
    },
  );

  it.each(byName(({ isPublic }) => isPublic))('that is public takes everybody: %s', async (_, operation) => {
    const kinds = [
      'nobody',
      'a token of another signing key',
      'a disabled credential',
      'a reader',
      'the organization',
    ];

    const answers = await Promise.all(kinds.map((kind) => call(world, operation, callers[kind]!)));

    expect(answers.map(({ status }) => status)).toEqual(kinds.map(() => answerOf(operation)));
  });

  it('is one of the few that are public only by intent', () => {
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
    'is as closed to HEAD and to other methods: %s',
    async (_, operation) => {
      const { target } = valid(operation, exampleOf(operation, world), {});
      const methods = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
      const served = operations.filter(({ path }) => path === operation.path).map(({ method }) => method);
      const answers = await Promise.all(methods.map((method) => world.http.send({ method, target })));

      const expected = methods.map((method) => (['HEAD', ...served].includes(method) ? 401 : 405));
      expect(answers.map(({ status }) => status)).toEqual(expected);
    },
  );
});

describe('The matrix of routes and credentials', () => {
  const SOME = 480;

  it('has no success and no refusal that the rules do not say, whoever asks for whose things', async () => {
    const isOwned = ({ path, fields }: Operation) =>
      /\{(?:accountID|posID|id)\}/.test(path) || fields.some(({ name }) => /^account_?ID$/i.test(name));
    const all = operations.filter(isProtected).flatMap((operation) =>
      KINDS.flatMap((_, kind) =>
        TARGETS.filter((target) => target === 'home' || isOwned(operation)).map((target) => ({
          operation,
          kind,
          target,
        })),
      ),
    );
    const some = drawn(all, SOME);
    const used = [...new Set(some.map(({ kind }) => kind))];
    const made = await headersOf(
      world,
      used.map((kind) => KINDS[kind]!),
    );
    const headers = new Map(used.map((kind, position) => [kind, made[position]!]));
    const found: unknown[] = [];
    const refusals = new Map<string, Set<string>>();
    const outcomes = new Map<string | number, number>();

    await inParallel(some, async ({ operation, kind, target }) => {
      const expected = expectedAnswer(operation, KINDS[kind]!, target);
      const request = valid(operation, aimed(operation, exampleOf(operation, world), target, world), {});
      const answer = await world.http.send({
        ...request,
        headers: { ...request.headers, ...headers.get(kind) },
      });
      const code = codeOf(answer);
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
      if (code !== expected) found.push([operation.name, target, KINDS[kind], code, 'instead of', expected]);
      if (expected === 200) return;
      const refusal = `${operation.name} ${expected}`;
      refusals.set(refusal, (refusals.get(refusal) ?? new Set()).add(withoutRequestId(answer)));
    });

    expect(found).toEqual([]);
    // Things of others are refused in the words in which missing ones are.
    expect([...refusals].filter(([, words]) => words.size > 1)).toEqual([]);
    expect(outcomes.get(200)).toBeGreaterThan(0);
  }, 900_000);
});

describe('The token exchange', () => {
  it('says the same of an unknown key, a wrong secret and another environment’s key', async () => {
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

  it('reveals to a caller with the secret that the credential is disabled, or may not be used from here', async () => {
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

describe('A credential, while two replicas are asked by it', () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = new Replicas([world.service.apiUrl, await world.service.anotherApi()]);
  });
  afterAll(() => replicas.close());

  it.each(REVOCATIONS)(
    'is refused by both from the very next request on, and let in again: %s',
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

  it.each(DELETIONS)(
    'is unknown to both from the very next request on, once deleted %s',
    async (_, remove) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const credential = await world.credential({ accountId: await newAccount(world), roles: ['read'] });
        const headers = await world.proofs(credential);

        const { before, after } = await replicas.during(headers, () => remove(world, credential));

        expect(after).toEqual(new Set(['credentials_invalid']));
        expect([200, 'credentials_invalid']).toEqual(expect.arrayContaining([...before]));
      }
    },
  );
});

describe('The reference page', () => {
  it('keeps what a reader authorizes with in memory alone', async () => {
    const script = await fetch(`${world.service.apiUrl}/docs/swagger-ui-init.js`);

    const options = await script.text();
    expect(options).toContain('"displayRequestDuration": true');
    expect(options).not.toContain('"persistAuthorization": true');
  });
});

otherTenantsSuite(() => world);
