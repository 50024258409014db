import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawn } from '#test/support/drawn.js';
import {
  committedDocument,
  operationsOf,
  type ApiDocument,
  type Operation,
} from '#test/support/hostile/hostile-api.js';
import { hostileBodies } from '#test/support/hostile/hostile-bodies.js';
import {
  answerOf,
  EXAMPLES,
  exampleOf,
  fieldsWithoutExample,
} from '#test/support/hostile/hostile-examples.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { fingerprint, fingerprintOf } from '#test/support/hostile/hostile-fingerprint.js';
import { flawOfAny, METHODS, mixed, READING } from '#test/support/hostile/hostile-mixture.js';
import { inParallel, type Received } from '#test/support/hostile/hostile-http.js';
import { exceptionOf, isAllowed, judge } from '#test/support/hostile/hostile-judge.js';
import {
  nameProbes,
  valid,
  valueProbes,
  type Probe,
  type Proofs,
} from '#test/support/hostile/hostile-probes.js';
import { type HostileValue } from '#test/support/hostile/hostile-values.js';
import { flawOf } from '#test/support/hostile/hostile-verdict.js';
import { HostileWorld } from '#test/support/hostile/hostile-world.js';

/**
 * So many are made by chance in the long form; `EVIDENCE=long npm test -- test/long/hostile-values -t mixture` sends only these.
 */
const MIXTURES = process.env['EVIDENCE'] === 'long' ? 100_000 : 200;
const AT_A_TIME = 2_000;
/** Tables whose rows are made by these operations alone, one for each success. */
const MADE_BY: Record<string, readonly string[]> = {
  'identity.accounts': ['POST /v1/account'],
  'point_of_sale.points_of_sale': ['POST /v1/pos'],
  'payments.payment_links': ['POST /v1/pos/{posID}/payment-link'],
  'subscriptions.subscriptions': ['POST /v1/pos/{posID}/subscription'],
  'payments.payment_requests': [
    'POST /v1/pos/{posID}/payment-request',
    'POST /v1/pos/{posID}/payment-request-checkout',
    'POST /public/pos/{code}',
  ],
};

const OPEN_LINK = 'POST /public/payment-links/{code}/checkout';

const operations = operationsOf(committedDocument());
const named = operations.map((operation) => [operation.name, operation] as const);
const withBody = named.filter(([, { hasBody }]) => hasBody);

let world: HostileWorld;
let proofs: Proofs;
let others: HostileValue[];
let before: Record<string, string>;

beforeAll(async () => {
  // Nothing expires meanwhile.
  world = await HostileWorld.start({ settings: { PAYMENT_WINDOW_SECONDS: '86400' } });
  proofs = await world.proofs(world.home.credential);
  const { accountId, posId, paymentRequestId, credential } = world.foreign;
  others = Object.entries({
    'foreign account': accountId,
    'foreign point of sale': posId,
    'foreign payment request': paymentRequestId,
    'foreign key id': credential.keyId,
  }).map(([name, text]) => ({ name, text, json: JSON.stringify(text) }));
});

afterAll(async () => {
  await world.stop();
});

const probesOf = (operation: Operation) =>
  valueProbes(operation, () => exampleOf(operation, world), proofs, others);

/** `npm run evidence -- hostile-values` sends every one. */
const share = (probes: readonly Probe[]) => drawn(probes, Math.ceil(probes.length / 25));

/** Errors of Node are none of the Error that tests have. */
const isAnswer = (answer: Received | Error): answer is Received => 'status' in answer;

/** Sends all of them. @returns what is wrong, one line for each probe */
async function complaints(
  probes: readonly Probe[],
  verdict: (probe: Probe, answer: Received) => string | undefined,
): Promise<string[]> {
  const found: string[] = [];
  await inParallel(probes, async (probe) => {
    const answer = await world.http.send(probe.sent).catch((error: Error) => error);
    const complaint = isAnswer(answer) ? verdict(probe, answer) : answer.message;
    if (complaint !== undefined)
      found.push(`${probe.field.name || probe.field.place} = ${probe.value}: ${complaint}`);
  });
  return found.sort();
}

const schemaNames = ({ components }: ApiDocument) => Object.keys(components.schemas).sort();

describe('The API', () => {
  it('serves the committed OpenAPI document', async () => {
    const { json } = await world.http.send({ method: 'GET', target: '/docs-json' });

    const served = json as unknown as ApiDocument;
    expect(operationsOf(served)).toEqual(operations);
    // Schemas are named after classes, whose names the bundle has to keep.
    expect(schemaNames(served)).toEqual(schemaNames(committedDocument()));
  });

  it('has a valid example for each operation, and no example is left over', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each(named)('accepts the example with every field: %s', async (_, operation) => {
    const example = exampleOf(operation, world);

    const answer = await world.http.send(valid(operation, example, proofs));

    expect(fieldsWithoutExample(operation, example)).toEqual([]);
    expect([answer.status, answer.text]).toEqual([
      answerOf(operation),
      expect.stringMatching(operation.name.endsWith('.csv') ? /^(?:id|period),/ : /^\{/),
    ]);
  });
});

describe('Bad input', () => {
  beforeAll(async () => void (before = await fingerprint(world.service)));

  it.each(named)('is rejected in each field, with the name of the field: %s', async (_, operation) => {
    const probes = probesOf(operation).filter((probe) => !isAllowed(probe));
    const missing: Record<string, Received> = {};
    for (const probe of probes) {
      const { field, value, sent } = probe;
      if (field.place === 'path' && value === 'missing UUID' && exceptionOf(probe) === undefined)
        missing[field.name] = await world.http.send(sent);
    }

    const some = share(probes);
    expect(await complaints(some, (probe, answer) => judge(probe, answer, missing))).toEqual([]);
    expect(Object.values(missing).filter(({ status }) => status !== 404 && status !== 403)).toEqual([]);
  });

  it.each(named)('is rejected as an unknown or repeated name, at every depth: %s', async (_, operation) => {
    const probes = share(nameProbes(operation, exampleOf(operation, world), proofs));

    expect(await complaints(probes, (probe, answer) => judge(probe, answer, {}))).toEqual([]);
  });

  it.each(withBody)('is rejected as a body: %s', async (_, operation) => {
    const request = valid(operation, exampleOf(operation, world), proofs);
    const found: unknown[] = [];
    const bodies = hostileBodies(String(request.body), operation.hasOptionalBody);

    await inParallel(bodies, async ({ name, sent, status, code }) => {
      const headers = { ...request.headers, ...sent.headers };
      const answer = await world.http.send({ ...request, ...sent, headers });
      const isRight =
        answer.status === status && answer.json?.['code'] === code && flawOf(answer) === undefined;
      if (!isRight) found.push([name, answer.status, flawOf(answer), answer.text.slice(0, 200)]);
    });

    expect(found).toEqual([]);
  });

  it('does not change the database', async () => {
    expect(await fingerprint(world.service)).toEqual(before);
    expect(await world.service.breaches()).toEqual([]);
  });
});

describe('Unusual input', () => {
  it.each(named)('is accepted if it is listed as an exception: %s', async (_, operation) => {
    const probes = share(probesOf(operation).filter(isAllowed));

    const refused = await complaints(probes, (__, { status, text }) =>
      status === answerOf(operation) ? undefined : text,
    );

    expect(refused).toEqual([]);
  });

  it.each(named.filter(([, { hasOptionalBody }]) => hasOptionalBody))(
    'is accepted without a body if the body is optional: %s',
    async (_, operation) => {
      const { body, ...request } = valid(operation, exampleOf(operation, world), proofs);
      const { 'content-type': __, ...headers } = request.headers!;

      const left = await world.http.send({ ...request, headers });
      const answerTo = async (instead: string) => {
        const sent = valid(operation, exampleOf(operation, world), proofs);
        return (await world.http.send({ ...sent, body: instead })).status;
      };

      expect([left.status, await answerTo('{}'), await answerTo('null')]).toEqual([200, 200, 200]);
      expect(typeof body).toBe('string');
    },
  );
});

describe('A random request', () => {
  const seed = Number(process.env['SEED'] ?? process.env['RUN_SEED'] ?? 1);
  const random = new SeededRandom(seed);
  /** Successes by operation, but for repetitions under an idempotency key, which make nothing. */
  const successes: Record<string, number> = {};

  /** Sends so many to these operations. @returns what is wrong, one line each */
  async function send(
    some: readonly Operation[],
    count: number,
    methods: readonly string[],
  ): Promise<string[]> {
    const examples = new Map(some.map((operation) => [operation, exampleOf(operation, world)]));
    const found: string[] = [];
    for (let left = count; left > 0; left -= AT_A_TIME) {
      const requests = Array.from({ length: Math.min(left, AT_A_TIME) }, () => {
        const operation = some[random.wholeNumber(0, some.length - 1)]!;
        return mixed(random, operation, examples.get(operation)!, proofs, methods);
      });
      await inParallel(requests, async (request) => {
        const answer = await world.http.send(request.sent).catch((error: Error) => error);
        const flaw = isAnswer(answer) ? flawOfAny(request, answer) : answer.message;
        const { operation, sent, changes } = request;
        if (flaw !== undefined)
          found.push(`${operation.name} (${sent.method}), ${changes.join(', ')}: ${flaw}`);
        const isNew =
          isAnswer(answer) && answer.status === 200 && !('idempotency-replayed' in answer.headers);
        // Another method on the path is another operation.
        const name = operation.name.replace(operation.method, sent.method);
        if (isNew) successes[name] = (successes[name] ?? 0) + 1;
      });
      proofs = await world.proofs(world.home.credential);
    }
    return found.sort();
  }

  const rowsOf = async (table: string) => {
    const [row] = await world.service.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
    return Number(row!.count);
  };

  it('is answered and changes nothing if its operation only reads', async () => {
    // Of these, one selects the asset that it names.
    const reading = operations.filter(({ method, name }) => method === 'GET' && !name.endsWith('/payment'));
    const atFirst = await fingerprint(world.service);

    // The other methods on these paths are other operations, and those change something.
    expect(await send(reading, Math.ceil(MIXTURES / 2), READING)).toEqual([]);

    expect(await fingerprint(world.service)).toEqual(atFirst);
  }, 3_600_000);

  it('is answered, creates one row for each success, and changes nothing of other organizations', async () => {
    const tables = Object.keys(MADE_BY);
    const foreign = await fingerprintOf(world.service, world.foreign.organizationId);
    const rows = await Promise.all(tables.map(rowsOf));
    const made = { ...successes };

    expect(await send(operations, Math.floor(MIXTURES / 2), METHODS)).toEqual([]);

    expect(await fingerprintOf(world.service, world.foreign.organizationId)).toEqual(foreign);
    const succeeded = (name: string) => (successes[name] ?? 0) - (made[name] ?? 0);
    for (const [n, table] of tables.entries()) {
      const added = (await rowsOf(table)) - rows[n]!;
      const least = MADE_BY[table]!.reduce((sum, name) => sum + succeeded(name), 0);
      // A payment link finds the payer's session again or opens one.
      const most = least + (table === 'payments.payment_requests' ? succeeded(OPEN_LINK) : 0);
      expect([table, Math.min(Math.max(added, least), most)]).toEqual([table, added]);
    }
    expect(await world.service.breaches()).toEqual([]);
    expect(world.service.log('api')).not.toContain('"level":"error"');
  }, 3_600_000);
});
