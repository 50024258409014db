import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import { openRequests } from './open-many.js';

/** The long form is `npm run evidence -- looks`. */
const LONG = process.env['EVIDENCE'] === 'long';
const SIZES = LONG ? [1_000, 100_000, 1_000_000] : [200, 4_000];
/** Blocks that the watcher reads while it is looked at. */
const BLOCKS = LONG ? 20 : 4;
/** A turn compares up to 4,000 balances; the fewest open requests are a quarter of them, or less. */
const MOST = LONG ? 4.5 : 22;
/** Statistics of the server arrive a second late. */
const SETTLED_MS = 1_500;

interface Reads {
  readonly rows: number;
  readonly blocks: number;
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
}, 120_000);
afterAll(() => service?.stop());

/**
 * Rows and blocks that were read of each table, its indexes included, since the start. Rows of an index are its entries: an
 * index-only scan fetches none of the table, and only the planner's estimates choose between the two.
 */
async function reads(): Promise<Map<string, Reads>> {
  const rows = await service.query<{ name: string } & Reads>(
    `SELECT s.schemaname || '.' || s.relname AS name,
       (COALESCE(s.seq_tup_read, 0) + COALESCE((SELECT sum(x.idx_tup_read) FROM pg_stat_user_indexes x
         WHERE x.relid = s.relid), 0))::float8 AS rows,
       (COALESCE(i.heap_blks_hit, 0) + COALESCE(i.heap_blks_read, 0) + COALESCE(i.idx_blks_hit, 0)
         + COALESCE(i.idx_blks_read, 0))::float8 AS blocks
     FROM pg_stat_user_tables s JOIN pg_statio_user_tables i USING (relid)`,
  );
  return new Map(rows.map(({ name, ...read }) => [name, read]));
}

const pause = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS));

/** Everything that a worker, an API process and the sandbox's chain read of the database meanwhile, for each block. */
async function readForEachBlock(): Promise<Map<string, Reads>> {
  await service.chain.mine(1);
  await pause();
  const before = await reads();
  for (let block = 0; block < BLOCKS; block += 1) {
    await service.chain.mine(1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await pause();
  const after = await reads();
  const differences = [...after].map(([name, { rows, blocks }]) => {
    const { rows: rowsBefore, blocks: blocksBefore } = before.get(name) ?? { rows: 0, blocks: 0 };
    return [name, { rows: (rows - rowsBefore) / BLOCKS, blocks: (blocks - blocksBefore) / BLOCKS }] as const;
  });
  return new Map(differences);
}

describe('A worker with nothing to do but to look', () => {
  it.each(['token', 'coin'] as const)(
    'reads as much with many open requests as with few, payable in a %s',
    async (kind) => {
      const seen: Map<string, Reads>[] = [];
      for (const size of SIZES) {
        await openRequests(service, kind, size);
        seen.push(await readForEachBlock());
      }
      const names = [...seen.at(-1)!.keys()].filter((name) => seen.some((each) => each.get(name)!.rows >= 1));
      const shown = (name: string) =>
        seen.map(
          (each) => `${each.get(name)!.rows.toFixed(0)} rows, ${each.get(name)!.blocks.toFixed(0)} blocks`,
        );
      process.stdout.write(
        `Read in a second with a block, with ${SIZES.join(', ')} open requests in a ${kind}:\n` +
          names.map((name) => `  ${name}: ${shown(name).join('; ')}\n`).join(''),
      );

      const grows: string[] = [];
      for (const name of names) {
        const [few, many] = [seen[0]!.get(name)!, seen.at(-1)!.get(name)!];
        if (many.rows > MOST * few.rows + 50) grows.push(name);
      }
      expect(grows).toEqual([]);
    },
    1_800_000,
  );
});
