import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { FiguresWorld } from '#contexts/figures/testing/figures-world.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { RebuildFigures } from '#contexts/figures/infrastructure/persistence/rebuild-figures.js';
import { openTestDatabase, type TestPlatform } from '../support/open-database.js';
import { executed } from '../support/plans.js';
import { FiguresHistory } from './overview/figures-history.js';
import { ACCOUNTS, ORGANIZATION, payments, STATEMENTS, timeOf } from './overview/many-payments.js';

/** The long form is `npm run evidence -- overview`. */
const LONG = process.env['EVIDENCE'] === 'long';
const RUNS = Number(process.env['RUNS'] ?? (LONG ? 1_000 : 1));
const STEPS = 25;
const SEED = Number(process.env['SEED'] ?? (LONG ? 1 : 7));
/** Invariants of all contexts are checked after so many histories, those of figures after each. */
const RUNS_IN_A_WORLD = 20;
const SIZES = LONG ? [1_000, 100_000, 1_000_000] : [200, 2_000];
/** Rows and blocks: 60 days have at most some 25 figures each; each of the things that need attention is read up to a hundred times. */
const MOST_FIGURES = 60 * 25;
const MOST_OTHERS = 1_500;
const PATIENT_MS = LONG ? 4 * 3_600_000 : 120_000;

// Who dies in this process says so by an error, which others would log.
beforeAll(() => Logger.overrideLogger(false));

describe('Figures after random histories with kills', () => {
  it(
    'are what all records come to, at every position and at the end',
    async () => {
      const acts = new Map<string, number>();
      for (let first = SEED; first < SEED + RUNS; first += RUNS_IN_A_WORLD) {
        const world = await FiguresWorld.open();
        for (let seed = first; seed < Math.min(first + RUNS_IN_A_WORLD, SEED + RUNS); seed += 1) {
          const history = new FiguresHistory(world, new SeededRandom(seed));
          const again = () => [`SEED=${seed} RUNS=1`, ...history.acts].join(' ');
          for (let step = 0; step < STEPS; step += 1) {
            await history.step();
            if (step % 5 === 0) expect([again(), await world.breaches()]).toEqual([again(), {}]);
          }
          await history.end();
          expect([again(), await world.breaches()]).toEqual([again(), {}]);
          for (const act of history.acts) acts.set(act, (acts.get(act) ?? 0) + 1);
        }
        await world.close();
      }
      const done = [...acts].sort().map(([act, times]) => `${times} ${act}`);
      process.stdout.write(`${RUNS} histories from SEED=${SEED}: ${done.join(', ')}\n`);
    },
    PATIENT_MS,
  );
});

describe('What the overview reads', () => {
  let platform: TestPlatform;
  let client: pg.Client;
  let operator: DataSource;

  beforeAll(async () => {
    platform = await openTestDatabase();
    // An operator's command may take as long as it needs.
    const pool = {
      poolSize: 3,
      applicationName: 'operator',
      timeouts: 'none',
      onPoolError: () => undefined,
    } as const;
    operator = await createDataSource({ databaseUrl: platform.url, ...pool }).initialize();
    client = new pg.Client({ connectionString: platform.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await operator?.destroy();
    await platform?.close('any');
  });

  it(
    'is as much with many payments as with few',
    async () => {
      const read: Record<string, { rows: number; blocks: number; ms: number }>[] = [];
      for (const [place, size] of SIZES.entries()) {
        await client.query('SET session_replication_role = replica');
        for (const text of payments(SIZES[place - 1] ?? 0, size)) await client.query(text);
        await client.query('SET session_replication_role = origin');
        const begun = performance.now();
        await new RebuildFigures(operator, new Database(operator)).execute();
        const took = performance.now() - begun;
        await client.query('VACUUM ANALYZE');
        const found: (typeof read)[number] = {};
        for (const [name, { text, types, values }] of Object.entries(STATEMENTS)) {
          await executed(client, text, types, values);
          const { scans, blocks } = await executed(client, text, types, values);
          const rows = scans.reduce((sum, scan) => sum + scan.rows, 0);
          found[name] = { rows, blocks, ms: await timeOf(client, text, types, values) };
        }
        read.push(found);
        const total = Object.values(found).reduce((sum, { ms }) => sum + ms, 0);
        process.stdout.write(
          `With ${size.toLocaleString('en')} payments of ${ACCOUNTS} accounts; counted anew in ${(took / 1000).toFixed(1)} s:\n` +
            Object.entries(found)
              .map(
                ([name, { rows, blocks, ms }]) =>
                  `  ${name}: ${rows} rows, ${blocks} blocks, ${ms.toFixed(2)} ms\n`,
              )
              .join('') +
            `  together ${total.toFixed(2)} ms of PostgreSQL for ${ORGANIZATION}\n`,
        );
      }
      for (const found of read)
        for (const [name, { rows, blocks }] of Object.entries(found)) {
          const most = name === 'figures' ? MOST_FIGURES : MOST_OTHERS;
          expect([name, rows <= most, blocks <= most]).toEqual([name, true, true]);
        }
    },
    PATIENT_MS,
  );
});
