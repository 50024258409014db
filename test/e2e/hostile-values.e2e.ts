import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { committedDocument, operationsOf, type ApiDocument } from '../support/hostile-api.js';
import { hostileBodies } from '../support/hostile-bodies.js';
import { exampleOf, fieldsWithoutExample } from '../support/hostile-examples.js';
import { fingerprint } from '../support/hostile-fingerprint.js';
import { inParallel } from '../support/hostile-http.js';
import { nameProbes, valid, valueProbes, type Probe, type Proofs } from '../support/hostile-probes.js';
import { judge, exceptionFor } from '../support/hostile-judge.js';
import { flawOf } from '../support/hostile-verdict.js';
import { HostileWorld } from '../support/hostile-world.js';

const operations = operationsOf(committedDocument());
let world: HostileWorld;
let proofs: Proofs;

beforeAll(async () => {
  world = await HostileWorld.start();
  proofs = await world.proofs(world.home.credential);
}, 90_000);
afterAll(async () => {
  await world?.stop();
});

describe('x', () => {
  it('y', async () => {
    const out: string[] = [];
    for (const operation of operations) {
      const example = exampleOf(operation, world);
      out.push(...fieldsWithoutExample(operation, example).map((m) => 'MISSING ' + m));
      const ok = await world.http.send(valid(operation, example, proofs));
      if (ok.status !== 200) out.push(`${operation.name} example ${ok.status} ${ok.text}`);
    }
    const t = Date.now();
    const before = await fingerprint(world.service);
    for (const operation of operations) {
      const example = exampleOf(operation, world);
      const probes = [...valueProbes(operation, example, proofs, []), ...nameProbes(operation, example, proofs)];
      await inParallel(probes, async (probe) => {
        try {
          const answer = await world.http.send(probe.sent);
          const c = judge(probe, answer);
          if (c) out.push(`${operation.name} | ${probe.field.place} ${probe.field.name} | ${probe.value} | ${c} | ${answer.text.slice(0, 120)}`);
        } catch (e) { out.push(`${operation.name} | ${probe.field.name} | ${probe.value} THROW ${e}`); }
      });
      if (operation.hasBody) await inParallel(hostileBodies(JSON.stringify(example.body)), async (b) => {
        const v = valid(operation, example, proofs);
        const answer = await world.http.send({ ...v, ...b.sent, headers: { ...v.headers, ...b.sent.headers } });
        if (answer.status !== b.status || answer.json?.['code'] !== b.code || flawOf(answer)) out.push(`${operation.name} BODY ${b.name} ${flawOf(answer)} ${answer.text.slice(0, 200)}`);
      });
    }
    const after = await fingerprint(world.service);
    const fs = await import('node:fs');
    fs.writeFileSync('/tmp/hv.txt', out.join('\n') + `\n${world.http.sent} in ${Date.now() - t}\n` + JSON.stringify(Object.entries(after).filter(([k, v]) => before[k] !== v)));
  }, 120_000);
});
