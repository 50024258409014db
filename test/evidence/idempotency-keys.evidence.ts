import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { copyShop } from '../support/copied-shop.js';
import type { Operation } from '../support/hostile/hostile-api.js';
import { ELSEWHERE } from '../support/hostile/hostile-callers.js';
import { exampleOf } from '../support/hostile/hostile-examples.js';
import { HostileHttp, type Received, type Sent } from '../support/hostile/hostile-http.js';
import { valid } from '../support/hostile/hostile-probes.js';
import { HOSTILE_VALUES } from '../support/hostile/hostile-values.js';
import { flawOf } from '../support/hostile/hostile-verdict.js';
import { HostileWorld } from '../support/hostile/hostile-world.js';
import {
  createdWith,
  KEYED,
  markedRequest,
  NOT_KEYED,
  ONLINE,
  OTHERS,
  underKey,
  type KeyedCreation,
  type KeyedShop,
} from './keyed-operations.js';

const LONG = process.env['EVIDENCE'] === 'long';
const SEED = Number(process.env['SEED'] ?? Math.ceil(Math.random() * 1_000_000));
const AT_ONCE = 100;
const KEYS = LONG ? 1_000 : OTHERS.length + 1;
/** The other creations share the rest equally. */
const ONLINE_SHARE = LONG ? 0.7 : 0.25;
const CREATE = KEYED.find(({ name }) => name === ONLINE.operation)!;
const INVALID_KEYS: Record<string, string | string[]> = {
  empty: '',
  'of 256 characters': 'k'.repeat(256),
  'with a space': 'order 1042',
  'sent twice': ['order-1042', 'order-1042'],
};
const EXECUTED = [200, false];
const REPLAYED = [200, true];

let world: HostileWorld;
let shop: KeyedShop;
let apis: HostileHttp[];

beforeAll(async () => {
  world = await HostileWorld.start();
  const { service, home } = world;
  const urls = [service.apiUrl, await service.anotherApi()];
  apis = urls.map((url) => new HostileHttp(url, AT_ONCE / urls.length));
  const physicalPosId = await copyShop(service, { type: 'physical' });
  shop = { world, proofs: await world.proofs(home.credential), physicalPosId };
});

afterAll(async () => {
  apis?.forEach((api) => api.close());
  await world?.stop();
});

const send = (sent: Sent) => world.http.send(sent);
const requestOf = (operation: Operation, proofs = shop.proofs) =>
  valid(operation, exampleOf(operation, world), proofs);
const named = (operations: readonly Operation[]) =>
  operations.map((operation) => [operation.name, operation] as const);
const isReplay = ({ headers }: Received) => headers['idempotency-replayed'] === 'true';
const outcome = (answer: Received) => [answer.status, isReplay(answer)];
const refusalOf = ({ status, json }: Received) => {
  const [error] = (json?.['errors'] ?? []) as { field: string; rule: string }[];
  return [status, json?.['code'], error?.field, error?.rule];
};

describe('An operation that accepts an idempotency key', () => {
  it.each(named(KEYED))('replays its response without secrets: %s', async (_, operation) => {
    const sent = underKey(requestOf(operation), newId());

    const [first, again] = [await send(sent), await send(sent)];

    const { secret, claim_url, ...data } = first.json!['data'] as { secret?: string; claim_url?: string };
    expect([outcome(first), outcome(again)]).toEqual([EXECUTED, REPLAYED]);
    expect(JSON.stringify(again.json!['data'])).toBe(JSON.stringify(data));
    expect(secret !== undefined).toBe(/\/webhook$|\/rotate-secret$/.test(operation.path));
    expect(claim_url !== undefined).toBe(operation.path.startsWith('/v1/refunds/'));
  });

  it.each(named(KEYED))('rejects a key of another request and an invalid key: %s', async (_, operation) => {
    const [sent, elsewhere] = [requestOf(operation), requestOf(operation === CREATE ? KEYED[0]! : CREATE)];
    const key = newId<string>();
    await send(underKey(elsewhere, key));

    expect(refusalOf(await send(underKey(sent, key))).slice(0, 2)).toEqual([422, 'idempotency_key_reused']);
    for (const [name, invalid] of Object.entries(INVALID_KEYS))
      expect([name, refusalOf(await send(underKey(sent, invalid)))]).toEqual([
        name,
        [400, 'validation_failed', 'Idempotency-Key', 'idempotency_key'],
      ]);
  });

  it('accepts printable ASCII of up to 255 characters and rejects any other key', async () => {
    const all = HOSTILE_VALUES.flatMap(({ text }) =>
      text === undefined || /[\p{Cc}\p{Surrogate}]/u.test(text) || text.length > 10_000 ? [] : [text],
    );
    const texts = [...new Set(all), 'k'.repeat(255)];
    const sent = requestOf(CREATE);
    const latin = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

    const answers = await Promise.all(texts.map((text) => send(underKey(sent, latin(text)))));

    const isKey = (text: string) => /^ *[!-~]{1,255} *$/.test(text);
    expect(texts.filter((text, n) => (answers[n]!.status === 200) !== isKey(text))).toEqual([]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(flawOf).filter((flaw) => flaw !== undefined)).toEqual([]);
  });

  it('ignores the order of fields, null fields and trailing zeros when it compares requests', async () => {
    const sent = underKey(requestOf(CREATE), newId());
    const body = JSON.parse(String(sent.body)) as Record<string, unknown>;
    const { order, reference_id: _, ...rest } = body;
    const turned = Object.fromEntries(Object.entries(rest).reverse());
    const first = await send({ ...sent, body: JSON.stringify({ ...rest, order }) });

    const same = { reference_id: null, order, ...turned, amount: `${String(rest['amount'])}0` };
    const again = await send({ ...sent, body: JSON.stringify(same) });
    const other = await send({ ...sent, body: JSON.stringify({ ...same, amount: '12.51' }) });

    expect([first, again].map(outcome)).toEqual([EXECUTED, REPLAYED]);
    expect(refusalOf(other).slice(0, 2)).toEqual([422, 'idempotency_key_reused']);
  });

  it('authenticates and authorizes replays like any other request', async () => {
    const credential = await world.credential();
    const sent = underKey(requestOf(CREATE, await world.proofs(credential)), newId());
    const answers = [await send(sent)];

    await world.change(credential, { roles: ['read'] });
    answers.push(await send(sent));
    await world.change(credential, { roles: ['write'], allowedAddresses: [`${ELSEWHERE}/32`] });
    answers.push(await send(sent), await send({ ...sent, from: ELSEWHERE }));
    await world.disable(credential);
    answers.push(await send({ ...sent, from: ELSEWHERE }));

    expect(answers.map(({ status, json }) => json?.['code'] ?? status)).toEqual([
      ...[200, 'role_required', 'ip_not_allowed', 200, 'credential_disabled'],
    ]);
    expect(answers.map(isReplay)).toEqual([false, false, false, true, false]);
  });

  it('does not end the open request of a physical point of sale when it replays an earlier one', async () => {
    const path = { posID: shop.physicalPosId };
    const sent = valid(CREATE, { ...exampleOf(CREATE, world), path }, shop.proofs);
    const first = underKey(sent, newId());
    await send(first);
    const second = (await send(sent)).json!['data'] as { id: string; expires_at: string };

    const replayed = await send(first);

    const read = await send({ method: 'GET', target: `${sent.target}/${second.id}`, headers: shop.proofs });
    expect(outcome(replayed)).toEqual(REPLAYED);
    expect((read.json!['data'] as typeof second).expires_at).toBe(second.expires_at);
  });
});

describe('An operation without idempotency', () => {
  it.each(named(NOT_KEYED))('rejects an idempotency key: %s', async (_, operation) => {
    const answer = await send(underKey(requestOf(operation), newId()));

    expect(refusalOf(answer)).toEqual([400, 'validation_failed', 'Idempotency-Key', 'no_idempotency_key']);
  });
});

/** Draws creations by the seed, at least one of each kind. */
function drawnCreations(count: number): KeyedCreation[] {
  process.stdout.write(`The creations are drawn with SEED=${SEED}.\n`);
  const online = Math.round(count * ONLINE_SHARE);
  const all = Array.from({ length: count }, (_, n) =>
    n < online ? ONLINE : OTHERS[(n - online) % OTHERS.length]!,
  );
  return new SeededRandom(SEED).shuffled(all);
}

type Answered = { id: string; secret?: string; claim_url?: string };
const dataOf = ({ json }: Received) => (json?.['data'] ?? {}) as Answered;
const without = ({ secret: _, claim_url: __, ...data }: Answered) => JSON.stringify(data);

/** Returns what is wrong with the responses to one request that was sent many times concurrently, and then again. */
function flaws(answers: readonly Received[], again: Received): string[] {
  const good = answers.filter(({ status }) => status === 200);
  const others = answers.filter(({ status }) => status !== 200);
  const first = good.filter((answer) => !isReplay(answer));
  const distinct = new Set([...good, again].map((answer) => without(dataOf(answer))));
  return [
    ...others.filter(({ json }) => json?.['code'] !== 'idempotency_in_progress').map(({ text }) => text),
    ...others.filter(({ headers }) => headers['retry-after'] !== '1').map(() => 'without Retry-After'),
    ...(first.length === 1 ? [] : [`${first.length} responses that are no replay`]),
    ...(distinct.size === 1 ? [] : [...distinct]),
    ...(again.status === 200 && isReplay(again) ? [] : [`no replay afterwards: ${again.text}`]),
    ...[...good.filter(isReplay), again]
      .filter((answer) => 'secret' in dataOf(answer) || 'claim_url' in dataOf(answer))
      .map(() => 'a replay with a secret'),
  ];
}

describe(`${AT_ONCE} concurrent requests under one key, to two processes`, () => {
  it('creates one object and returns it in every successful response', async () => {
    const creations = drawnCreations(KEYS).map((creation, n) => ({ creation, mark: `${SEED} at once ${n}` }));
    const found: unknown[] = [];
    const answered = new Map<string, string[]>();

    for (const { creation, mark } of creations) {
      const sent = markedRequest(shop, creation, mark, newId());
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => apis[n % apis.length]!.send(sent)),
      );
      const again = await apis[0]!.send(sent);
      const wrong = flaws(answers, again);
      if (wrong.length > 0) found.push([creation.kind, mark, wrong.slice(0, 5)]);
      answered.set(mark, [dataOf(again).id]);
    }

    expect(found).toEqual([]);
    expect(await createdWith(shop, [...answered.keys()])).toEqual(answered);
    expect(await world.service.breaches()).toEqual([]);
  }, 3_600_000);
});
