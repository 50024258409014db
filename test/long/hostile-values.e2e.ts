import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawn } from '#test/support/drawn.js';
import {
  committedDocument,
  operationsOf,
  type ApiDocument,
  type Operation,
} from '#test/support/hostile/hostile-api.js';
import {
  answerOf,
  EXAMPLES,
  exampleOf,
  fieldsWithoutExample,
} from '#test/support/hostile/hostile-examples.js';
import { fingerprint } from './hostile-values/fingerprint.js';
import { inParallel, type Received } from '#test/support/hostile/hostile-http.js';
import { exceptionOf, isAllowed, judge } from './hostile-values/judge.js';
import {
  nameProbes,
  valid,
  valueProbes,
  type Probe,
  type Proofs,
} from '#test/support/hostile/hostile-probes.js';
import { type HostileValue } from '#test/support/hostile/hostile-values.js';
import { HostileWorld } from '#test/support/hostile/hostile-world.js';

const operations = operationsOf(committedDocument());
const named = operations.map((operation) => [operation.name, operation] as const);

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
