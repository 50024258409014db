import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { Operation } from '../support/hostile/hostile-api.js';
import { ELSEWHERE } from '../support/hostile/hostile-callers.js';
import { exampleOf } from '../support/hostile/hostile-examples.js';
import type { Received, Sent } from '../support/hostile/hostile-http.js';
import { valid } from '../support/hostile/hostile-probes.js';
import { HOSTILE_VALUES } from '../support/hostile/hostile-values.js';
import { flawOf } from '../support/hostile/hostile-verdict.js';
import { KEYED, NOT_KEYED, underKey, type KeyedShop } from '../support/keyed-operations.js';
import { eventually } from '../support/eventually.js';

const DAY_AND_A_SECOND = 86_401;
const CREATE = KEYED.find(({ name }) => name === 'POST /v1/pos/{posID}/payment-request')!;
const NO_KEYS: Record<string, string | string[]> = {
  empty: '',
  'a space': ' ',
  'of 256 characters': 'k'.repeat(256),
  'with a space': 'order 1042',
  'with a tab': 'order\t1042',
  'with a letter beyond ASCII': 'ord\u00e9r',
  'sent twice': ['order-1042', 'order-1042'],
};

const named = (operations: readonly Operation[]) =>
  operations.map((operation) => [operation.name, operation] as const);
const refusalOf = ({ status, json }: Received) => {
  const [error] = (json?.['errors'] ?? []) as { field: string; rule: string }[];
  return [status, json?.['code'], error?.field, error?.rule];
};
const isReplay = ({ headers }: Received) => headers['idempotency-replayed'] === 'true';
const outcome = (answer: Received) => [answer.status, isReplay(answer)];
const EXECUTED = [200, false];
const REPLAYED = [200, true];

/** Describes what every operation that takes a key does with one, and what the others do. @param open once a test begins */
export function describeRepetitions(open: () => KeyedShop): void {
  const send = (sent: Sent) => open().world.http.send(sent);
  const requestOf = (operation: Operation, proofs = open().proofs) =>
    valid(operation, exampleOf(operation, open().world), proofs);
  const signedBy = (sent: Sent, proofs: object): Sent => ({
    ...sent,
    headers: { ...sent.headers, ...proofs },
  });

  it.each(named(KEYED))('is answered as before, without secrets: %s', async (_, operation) => {
    const sent = underKey(requestOf(operation), newId());

    const [first, again] = [await send(sent), await send(sent)];

    const { secret, claim_url, ...data } = first.json!['data'] as { secret?: string; claim_url?: string };
    expect([outcome(first), outcome(again)]).toEqual([EXECUTED, REPLAYED]);
    expect(JSON.stringify(again.json!['data'])).toBe(JSON.stringify(data));
    expect(secret !== undefined).toBe(/\/webhook$|\/rotate-secret$/.test(operation.path));
    expect(claim_url !== undefined).toBe(operation.path.startsWith('/v1/refunds/'));
  });

  it.each(named(KEYED))('is refused where the key was used for something else: %s', async (_, operation) => {
    const [sent, elsewhere] = [requestOf(operation), requestOf(operation === CREATE ? KEYED[0]! : CREATE)];
    const key = newId<string>();
    await send(underKey(elsewhere, key));

    expect(refusalOf(await send(underKey(sent, key))).slice(0, 2)).toEqual([422, 'idempotency_key_reused']);
  });

  it.each(named(KEYED))('is another request of another credential: %s', async (_, operation) => {
    const { world } = open();
    const sent = underKey(requestOf(operation), newId());
    const others = await world.proofs(await world.credential());

    const answers = [
      await send(sent),
      await send(signedBy(sent, others)),
      await send(signedBy(sent, others)),
    ];

    // A name that may be there once is taken by then.
    const second = operation.path === '/v1/account' ? [409, false] : EXECUTED;
    const third = operation.path === '/v1/account' ? [409, false] : REPLAYED;
    expect(answers.map(outcome)).toEqual([EXECUTED, second, third]);
  });

  it.each(named(KEYED))('is refused under what is no key: %s', async (_, operation) => {
    const sent = requestOf(operation);

    const answers = await Promise.all(Object.values(NO_KEYS).map((key) => send(underKey(sent, key))));

    expect(answers.map(refusalOf)).toEqual(
      answers.map(() => [400, 'validation_failed', 'Idempotency-Key', 'idempotency_key']),
    );
  });

  it.each(named(NOT_KEYED))('is refused under a key where it takes none: %s', async (_, operation) => {
    const answer = await send(underKey(requestOf(operation), newId()));

    expect(refusalOf(answer)).toEqual([400, 'validation_failed', 'Idempotency-Key', 'no_idempotency_key']);
  });

  it('is refused under control characters before it is read', async () => {
    const { hostname, port } = new URL(open().world.service.apiUrl);
    const socket = connect(Number(port), hostname);
    socket.end('POST /v1/pos HTTP/1.1\r\nHost: api\r\nIdempotency-Key: a\u0001b\r\n\r\n');

    const [answer] = (await once(socket, 'data')) as [Buffer];

    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('is taken or refused under any text, and never breaks anything', async () => {
    const all = HOSTILE_VALUES.flatMap(({ text }) =>
      text === undefined || /[\p{Cc}\p{Surrogate}]/u.test(text) || text.length > 10_000 ? [] : [text],
    );
    const texts = [...new Set(all)];
    const sent = requestOf(CREATE);
    const latin = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

    const answers = await Promise.all(texts.map((text) => send(underKey(sent, latin(text)))));

    const isKey = (text: string) => /^ *[!-~]{1,255} *$/.test(text);
    expect(texts.filter((text, n) => (answers[n]!.status === 200) !== isKey(text))).toEqual([]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(flawOf).filter((flaw) => flaw !== undefined)).toEqual([]);
  });

  it('is the same request whatever the order of its fields, with null for an omitted one and another spelling of its amount', async () => {
    const sent = underKey(requestOf(CREATE), 'k'.repeat(255));
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

  it('is tried anew after it was refused, since errors are not stored', async () => {
    const { world } = open();
    const example = exampleOf(CREATE, world);
    const path = { posID: newId<string>() };
    const sent = underKey(valid(CREATE, { ...example, path }, open().proofs), newId());
    const refused = await send(sent);

    const key = sent.headers!['Idempotency-Key'] as string;
    const taken = await send(underKey(requestOf(CREATE), key));

    expect([refused.status, outcome(taken)]).toEqual([404, EXECUTED]);
  });

  it('proves who calls like any other request', async () => {
    const { world } = open();
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

  it('leaves the open request of a physical point of sale open', async () => {
    const { world, physicalPosId } = open();
    const example = exampleOf(CREATE, world);
    const sent = valid(CREATE, { ...example, path: { posID: physicalPosId } }, open().proofs);
    const first = underKey(sent, newId());
    await send(first);
    const second = (await send(sent)).json!['data'] as { id: string; expires_at: string };

    const replayed = await send(first);

    const target = `${sent.target}/${second.id}`;
    const read = await send({ method: 'GET', target, headers: open().proofs });
    expect(outcome(replayed)).toEqual(REPLAYED);
    expect((read.json!['data'] as typeof second).expires_at).toBe(second.expires_at);
  });
}

/**
 * The last of a file, since it moves the clock.
 * @param isLong also waits until the worker looks for keys to remove
 */
export function describeExpiry(open: () => KeyedShop, isLong: boolean): void {
  it('is a request like the first one after 24 hours, and its key is removed by the worker', async () => {
    const { world } = open();
    const sent = underKey(valid(CREATE, exampleOf(CREATE, world), open().proofs), newId());
    await world.http.send(sent);
    const before = await world.service.query('SELECT FROM platform.idempotency_keys');

    await world.service.advance(DAY_AND_A_SECOND);
    const proofs = await world.proofs(world.home.credential);
    // Unavailable until the worker has read the network's newest block.
    const again = await eventually(
      () => world.http.send({ ...sent, headers: { ...sent.headers, ...proofs } }),
      ({ status }) => status !== 503,
    );

    expect(outcome(again)).toEqual(EXECUTED);
    expect(before.length).toBeGreaterThan(1);
    if (!isLong) return;
    await eventually(
      () => world.service.query('SELECT FROM platform.idempotency_keys'),
      (keys) => keys.length === 1,
    );
  });
}
