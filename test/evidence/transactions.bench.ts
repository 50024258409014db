import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { TransactionFilter } from '#contexts/ledger/application/transaction-view.js';
import { TransactionQueries } from '#contexts/ledger/infrastructure/persistence/transaction-queries.js';
import { PAGE_QUERIES } from '#contexts/ledger/infrastructure/persistence/transaction-pages.sql.js';
import type { TransactionSelection } from '#contexts/ledger/infrastructure/persistence/transaction-selection.sql.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { openTestDatabase, type TestPlatform } from '../support/open-database.js';
import { executed } from '../support/plans.js';
import { EXCEPTIONS, fillTransactions } from './fill-transactions.js';
import { publishFigure, typical } from './figures.js';
import { FORM, comparedWith, median, row, shown } from './measures.js';

const LONG = FORM === 'long';
const { SIZES, PAIRS, READS } = {
  short: { SIZES: [2_000, 20_000], PAIRS: 1, READS: 2 },
  figures: { SIZES: [1_000_000], PAIRS: 5, READS: 20 },
  long: { SIZES: [10_000, 100_000, 1_000_000], PAIRS: 9, READS: 20 },
}[FORM];
const PAGE_SIZE = 50;

let platform: TestPlatform;
let client: pg.Client;
let queries: TransactionQueries;
const owners = new Map<number, OrganizationId>();

beforeAll(async () => {
  platform = await openTestDatabase();
  client = new pg.Client({ connectionString: platform.url });
  await client.connect();
  queries = new TransactionQueries(platform.database);
  for (const size of SIZES) await seed(size);
  await client.query('VACUUM ANALYZE ledger.transactions');
  await client.query('ANALYZE ledger.sequences');
}, 600_000);

afterAll(async () => {
  await client?.end();
  // Rows of what was never asked for, without their journal.
  await platform?.close('any');
});

/** An organization with one account. */
async function seed(size: number): Promise<void> {
  const organization = newId<OrganizationId>();
  owners.set(size, organization);
  await client.query(fillTransactions(organization, newId(), size));
}

const at = (second: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1_000);
const PLACES = { first: 0, middle: 0.5, last: 1 };

/** The page at that part of the list. */
const pageAt = (size: number, part: number) => Math.max(1, Math.ceil((size / PAGE_SIZE) * part));

const FILTERED: Record<string, (size: number) => TransactionFilter> = {
  'half of the time': (size) => ({ created: { from: at(size / 4), before: at((size * 3) / 4) } }),
  'type payment_in': () => ({ type: 'payment_in', created: {} }),
  'type deposit': () => ({ type: 'deposit', created: {} }),
  'one reference': (size) => ({ referenceId: `order-${size / 2}`, created: {} }),
};

const BARE = `SELECT * FROM ledger.transactions
  WHERE organization_id = $1 AND organization_sequence <= $2::bigint AND organization_sequence > $3::bigint
  ORDER BY organization_sequence DESC`;

/** Milliseconds for each reading. */
async function timed(read: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  for (let n = 0; n < READS; n += 1) await read();
  return (performance.now() - begun) / READS;
}

describe('A page of transactions with its exact total', () => {
  it('takes little longer than the index range of the same rows', async () => {
    const times = new Map<string, number[]>();
    const cells = new Map(Object.keys(PLACES).map((place) => [place, [place]]));
    const noises: number[] = [];
    for (const size of SIZES) {
      const organizationId = owners.get(size)!;
      for (const [place, part] of Object.entries(PLACES)) {
        const page = pageAt(size, part);
        const newest = size - (page - 1) * PAGE_SIZE;
        const read = () =>
          queries.page({ organizationId, accountId: null }, { created: {} }, { page, pageSize: PAGE_SIZE });
        const list = () => timed(read);
        const bare = () =>
          timed(() => platform.database.query(BARE, [organizationId, `${newest}`, `${newest - PAGE_SIZE}`]));
        await list();
        await bare();

        const { ratios, noise, ours, limits } = await comparedWith(PAIRS, bare, list);
        const ms = (values: readonly number[]) => `${typical(values, 2)} ms`;
        publishFigure({
          work: `list the ${place} page of ${size.toLocaleString('en')} transactions, with the total`,
          result: ms(ours),
          limit: `index scan of the same rows: ${ms(limits)}`,
          ratios: ratios.map((times) => 1 / times),
          measurement: 'transactions',
        });

        times.set(`${place} ${size}`, ours);
        noises.push(...noise);
        cells.get(place)!.push(shown(ratios));
        const { items, total } = await read();
        expect([total, items.length]).toEqual([size, Math.min(PAGE_SIZE, newest)]);
        if (LONG) expect(median(ratios)).toBeLessThan(2);
      }
    }
    const growth = Object.keys(PLACES).map(
      (place) => median(times.get(`${place} ${SIZES.at(-1)}`)!) / median(times.get(`${place} ${SIZES[0]}`)!),
    );
    process.stdout.write(
      row('page', ...SIZES.map((size) => `of ${size.toLocaleString('en')}`)) +
        [...cells.values()].map((line) => row(...line)).join('') +
        `The bare range beside itself: ${shown(noises)}. ` +
        `From ${SIZES[0]} to ${SIZES.at(-1)} transactions: ${growth.map((factor) => `×${factor.toFixed(2)}`).join(', ')}\n`,
    );
  }, 600_000);

  const literals = (organization: string, offset: number) => [
    `'${organization}'`,
    `'${organization}'`,
    `${Number.MAX_SAFE_INTEGER}`,
    `${PAGE_SIZE + 1}`,
    `${offset}`,
  ];
  const TYPES = [
    'uuid',
    'uuid',
    'bigint',
    'bigint',
    'bigint',
    'timestamptz',
    'timestamptz',
    'text[]',
    'text[]',
    'text',
  ];

  /** Blocks read for a page in the middle. */
  async function blocks(selection: Exclude<TransactionSelection, 'id'>, size: number): Promise<number> {
    const half = [`'${at(size / 4).toISOString()}'`, `'${at((size * 3) / 4).toISOString()}'`];
    const given: Record<typeof selection, string[]> = {
      whole: [],
      range: half,
      most: ['NULL', 'NULL', `'{payment_in}'`, `'{completed}'`],
      exceptions: ['NULL', 'NULL', `'{deposit}'`, `'{completed}'`],
      reference: ['NULL', 'NULL', `'{payment_in,deposit}'`, `'{completed}'`, `'order-${size / 2}'`],
    };
    const offset =
      selection === 'reference' ? 0 : selection === 'exceptions' ? size / 100 - PAGE_SIZE / 2 : size / 4;
    const values = [...literals(owners.get(size)!, Math.max(0, Math.floor(offset))), ...given[selection]];
    const { blocks: read } = await executed(
      client,
      PAGE_QUERIES.organization[selection],
      TYPES.slice(0, values.length),
      values,
    );
    return read;
  }

  it.each(['whole', 'reference'] as const)(
    'reads hardly more blocks of many transactions than of few: %s',
    async (selection) => {
      const [few, many] = [await blocks(selection, SIZES[0]!), await blocks(selection, SIZES.at(-1)!)];

      process.stdout.write(`${selection}: ${few} blocks of ${SIZES[0]}, ${many} of ${SIZES.at(-1)}\n`);
      // A level more of each index.
      expect(many).toBeLessThanOrEqual(few + 8);
    },
  );

  it('finds the ends of a date range by binary search', async () => {
    const [few, many] = [await blocks('range', SIZES[0]!), await blocks('range', SIZES.at(-1)!)];

    process.stdout.write(`range: ${few} blocks of ${SIZES[0]}, ${many} of ${SIZES.at(-1)}\n`);
    const steps = 2 * Math.ceil(Math.log2(SIZES.at(-1)! / SIZES[0]!));
    // Each step is a look-up in the index, of at most four levels, and its row.
    expect(many).toBeLessThanOrEqual(few + steps * 5 + 2 * Math.ceil(Math.log2(SIZES[0]!)) + 8);
  });

  it.each(['most', 'exceptions'] as const)(
    'reads the index entries before the page, and the rows of the page: %s',
    async (selection) => {
      for (const size of SIZES) {
        const read = await blocks(selection, size);

        process.stdout.write(`${selection}: ${read} blocks of ${size}\n`);
        // Of each its entry, and where the planner finds that cheaper its row, twice at most; and the page.
        expect(read).toBeLessThanOrEqual(40 + 2 * PAGE_SIZE + (2 * size) / EXCEPTIONS);
      }
    },
  );

  it('returns the exact total for every filter', async () => {
    for (const size of SIZES) {
      const scope = { organizationId: owners.get(size)!, accountId: null };
      const totals: number[] = [];
      for (const [name, filter] of Object.entries(FILTERED)) {
        const read = (page: number) => queries.page(scope, filter(size), { page, pageSize: PAGE_SIZE });
        const { total } = await read(1);
        totals.push(total);
        const last = pageAt(total, 1);
        const [first, deep] = [await timed(() => read(1)), await timed(() => read(last))];
        process.stdout.write(
          `${name} of ${size}: first page ${first.toFixed(2)} ms, last page ${deep.toFixed(2)} ms\n`,
        );
      }
      expect(totals).toEqual([size / 2, size - size / EXCEPTIONS, size / EXCEPTIONS, 1]);
    }
  }, 300_000);
});
