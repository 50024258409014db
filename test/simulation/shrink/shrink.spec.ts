import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { commandOf, type RunReport } from '../run/asked-run.js';
import type { Asked } from '../run/runs.js';
import { AboutObject } from './about-object.js';
import { Shrinking } from './shrinking.js';

const folder = mkdtempSync(join(tmpdir(), 'shrink-'));
afterAll(() => rmSync(folder, { recursive: true }));

const REQUEST = '01c03890-eaed-774a-982f-e28a17b21d19';
const OTHER = '01c03523-1721-777b-a43f-8926908ff06d';
const ADDRESS = '0xF426DE7a00b330Ab67ffed70487aD0Dc6Db38e12';
const HASH = `0x${'ab'.repeat(32)}`;

const exchange = (keyId: string | null, ...data: object[]) => ({
  kind: 'exchange',
  keyId,
  answer: { status: 200, body: { data } },
});
const [its, others] = [{ id: REQUEST, address: ADDRESS }, { id: OTHER }];
const [paid, elsewhere] = [
  { from: '0x1', to: ADDRESS.toLowerCase(), transactionHash: HASH },
  { from: '0x1', to: '0x2', transactionHash: '0x3' },
];
const FACTS = [
  ...['A', 'B'].flatMap((organizationId) => [
    { kind: 'organization', organizationId },
    { kind: 'credential', organizationId, keyId: `key ${organizationId}` },
  ]),
  exchange('key A', others),
  exchange(null, others, its),
  exchange('key B', its, others),
  { kind: 'block', transfers: [elsewhere, paid] },
];
const HISTORY = [
  ...FACTS.map((fact) => JSON.stringify(fact)),
  'act 3 of merchant 2: pay exactly',
  'worker-1 COMMIT',
  'worker-1 [lost] COMMIT',
  `api-1 is asked GET /v1/something/${HASH}`,
];

describe('An object in a simulated history', () => {
  const about = new AboutObject(HISTORY, `payment request ${REQUEST}`);

  it('returns the lines with its id, address or transactions, and all acts and faults', () => {
    expect(about.lines()).toEqual([
      JSON.stringify(exchange(null, its)),
      JSON.stringify(exchange('key B', its)),
      JSON.stringify({ kind: 'block', transfers: [paid] }),
      ...HISTORY.filter((line) => /^act|lost|asked/.test(line)),
    ]);
  });

  it('has a merchant, found by the credential that received it', () => expect(about.merchant()).toBe(2));
});

const RULE = 'status allowed by the chain';
const ACTS = Array.from({ length: 40 }, (_, place) => ({ number: place + 1, merchant: (place % 4) + 1 }));

interface Needs {
  readonly acts: readonly number[];
  readonly faults: readonly string[];
  readonly days: number;
  readonly error?: (asked: Asked) => string;
}

function shrinking(needs: Needs, mostRuns: number) {
  const orders: Asked[] = [];
  const run = (asked: Asked): Promise<RunReport> => {
    orders.push(asked);
    writeFileSync(asked.historyFile!, HISTORY.join('\n'));
    const { onlyActs, onlyFaults, faults, days } = asked;
    const isDifferent =
      days >= needs.days &&
      needs.acts.every((number) => onlyActs?.includes(number) ?? true) &&
      needs.faults.every((kind) => faults !== 'none' && (onlyFaults?.includes(kind) ?? true));
    const found = { rule: RULE, about: REQUEST, expected: 'overpaid', found: 'completed' };
    return Promise.resolve({
      ...{ seed: 7, last: [], digest: '', lines: 0, days: days + 1.25 },
      failure: needs.error?.(asked) ?? null,
      differences: isDifferent && needs.error === undefined ? [found] : [],
      acts: ACTS.map((act) => ({ ...act, name: 'pay', isDone: onlyActs?.includes(act.number) ?? true })),
      missing: [],
      faults: Object.fromEntries((onlyFaults ?? ['lost', 'deadlock', 'refused']).map((kind) => [kind, 1])),
    });
  };
  const different: Asked = {
    ...{ seed: 7, days: 2, merchants: 4, actsADay: 5, faults: 'all' as const, root: process.cwd() },
    ...{ isPrinted: false, isLogged: false, goesOn: false, historyFile: join(folder, 'first') },
  };
  const said: string[] = [];
  const shrunk = run(different).then(async (report) => {
    const one = new Shrinking({ run, folder }, different, report, mostRuns, (line) => said.push(line));
    await one.shrink();
    return one.shortest;
  });
  return { shrunk, orders, said };
}

describe('Shrinking a simulated history', () => {
  it('keeps the days, faults and acts that a difference needs', async () => {
    const { shrunk } = shrinking({ acts: [6, 30], faults: ['lost'], days: 0.4 }, 40);
    expect(commandOf(await shrunk)).toBe(
      'npm run simulate -- --seed 7 --days 0.5 --merchants 4 --acts 5 --faults all ' +
        `--only-rule '${RULE}' --only-faults 'lost' --only-acts '6,30'`,
    );
  });

  it('drops the acts of other merchants first', async () => {
    const { shrunk, said } = shrinking({ acts: [6, 7], faults: [], days: 2 }, 40);
    expect(await shrunk).toMatchObject({ faults: 'none', onlyActs: [6, 7] });
    expect(said).toContain('run 3, with 10 of its acts: not the same');
  });

  it('does not accept a different error', async () => {
    const error = ({ faults }: Asked) =>
      faults === 'none' ? 'Error: No answer came.' : 'Error: The process died.';
    const { shrunk } = shrinking({ acts: [], faults: [], days: 0, error }, 40);
    expect(await shrunk).toMatchObject({ faults: 'all', onlyFaults: [], onlyActs: [] });
  });

  it('stops after the maximum number of runs', async () => {
    const { shrunk, orders } = shrinking({ acts: [6, 7, 9], faults: ['lost'], days: 2 }, 5);
    await shrunk;
    expect(orders).toHaveLength(1 + 5);
  });
});
