import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drawn } from '../support/drawn.js';
import { committedDocument, operationsOf, type ApiDocument, type Operation } from '../support/hostile-api.js';
import { hostileBodies } from '../support/hostile-bodies.js';
import { EXAMPLES, exampleOf, fieldsWithoutExample } from '../support/hostile-examples.js';
import { fingerprint } from '../support/hostile-fingerprint.js';
import { inParallel, type Received } from '../support/hostile-http.js';
import { exceptionOf, isAllowed, judge } from '../support/hostile-judge.js';
import { nameProbes, valid, valueProbes, type Probe, type Proofs } from '../support/hostile-probes.js';
import { HOSTILE_VALUES, type HostileValue } from '../support/hostile-values.js';
import { flawOf } from '../support/hostile-verdict.js';
import { HostileWorld } from '../support/hostile-world.js';

const operations = operationsOf(committedDocument());
const named = operations.map((operation) => [operation.name, operation] as const);
const withBody = named.filter(([, { hasBody }]) => hasBody);

let world: HostileWorld;
let proofs: Proofs;
let others: HostileValue[];
let before: Record<string, string>;

beforeAll(async () => {
  world = await HostileWorld.start();
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
  const { sent } = world.http;
  const fields = operations.reduce((sum, operation) => sum + operation.fields.length, 0);
  const values = HOSTILE_VALUES.length + others.length;
  process.stdout.write(
    `${sent} requests: ${values} hostile values for ${fields} fields of ${operations.length} operations\n`,
  );
  await world.stop();
});

const probesOf = (operation: Operation) =>
  valueProbes(operation, () => exampleOf(operation, world), proofs, others);

/** `npm run evidence -- hostile-values` sends every one. */
const share = (probes: readonly Probe[]) => drawn(probes, Math.ceil(probes.length / 4));

/** Sends all of them. @returns what is wrong, one line for each probe */
async function complaints(
  probes: readonly Probe[],
  verdict: (probe: Probe, answer: Received) => string | undefined,
): Promise<string[]> {
  const found: string[] = [];
  await inParallel(probes, async (probe) => {
    const answer = await world.http.send(probe.sent).catch((error: Error) => error);
    const complaint = answer instanceof Error ? answer.message : verdict(probe, answer);
    if (complaint !== undefined)
      found.push(`${probe.field.name || probe.field.place} = ${probe.value}: ${complaint}`);
  });
  return found.sort();
}

const schemaNames = ({ components }: ApiDocument) => Object.keys(components.schemas).sort();

describe('The API', () => {
  it('is the one that the committed document describes', async () => {
    const { json } = await world.http.send({ method: 'GET', target: '/docs-json' });

    const served = json as unknown as ApiDocument;
    expect(operationsOf(served)).toEqual(operations);
    // Schemas are named after classes, whose names the bundle has to keep.
    expect(schemaNames(served)).toEqual(schemaNames(committedDocument()));
  });

  it('has a valid example for each operation, and no example is left over', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each(named)('takes the example with every field: %s', async (_, operation) => {
    const example = exampleOf(operation, world);

    const answer = await world.http.send(valid(operation, example, proofs));

    expect(fieldsWithoutExample(operation, example)).toEqual([]);
    expect([answer.status, answer.text]).toEqual([
      200,
      expect.stringMatching(operation.name.endsWith('.csv') ? /^id,type,/ : /^\{/),
    ]);
  });
});

describe('Bad input', () => {
  beforeAll(async () => void (before = await fingerprint(world.service)));

  it.each(named)(
    'is refused in each field, by name, whatever it is: %s',
    async (_, operation) => {
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
    },
    60_000,
  );

  it.each(named)('is refused as an unknown or repeated name, at every depth: %s', async (_, operation) => {
    const probes = nameProbes(operation, exampleOf(operation, world), proofs);

    expect(await complaints(probes, (probe, answer) => judge(probe, answer, {}))).toEqual([]);
  });

  it.each(withBody)('is refused as a whole body: %s', async (_, operation) => {
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

  it('leaves the database as it was', async () => {
    expect(await fingerprint(world.service)).toEqual(before);
    expect(await world.service.breaches()).toEqual([]);
  });
});

describe('Input that only looks bad', () => {
  it.each(named)('is taken, for the reasons given: %s', async (_, operation) => {
    const probes = share(probesOf(operation).filter(isAllowed));

    const refused = await complaints(probes, (__, { status, text }) => (status === 200 ? undefined : text));

    expect(refused).toEqual([]);
  });

  it.each(named.filter(([, { hasOptionalBody }]) => hasOptionalBody))(
    'is taken where the whole body may be left out: %s',
    async (_, operation) => {
      const { body, ...request } = valid(operation, exampleOf(operation, world), proofs);
      const { 'content-type': __, ...headers } = request.headers!;

      const left = await world.http.send({ ...request, headers });
      const said = async (instead: string) => {
        const sent = valid(operation, exampleOf(operation, world), proofs);
        return (await world.http.send({ ...sent, body: instead })).status;
      };

      expect([left.status, await said('{}'), await said('null')]).toEqual([200, 200, 200]);
      expect(typeof body).toBe('string');
    },
  );

  it('breaks nothing', async () => {
    expect(await world.service.breaches()).toEqual([]);
  });
});
