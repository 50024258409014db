import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PostMovements } from '#contexts/ledger/application/post-movements.js';
import type { Movement } from '#contexts/ledger/domain/movement.js';
import { Journal } from '#contexts/ledger/infrastructure/persistence/journal.js';
import { confirmedPayment } from '#contexts/ledger/testing/movements.js';
import { openLedger, type TestLedger } from '#contexts/ledger/testing/open-ledger.js';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { publishFigure, typical } from './figures.js';
import { FORM, comparedWith, median, row, shown, type Comparison } from './measures.js';

const LONG = FORM === 'long';
const [PAIRS, BATCHES] = ({ short: [1, 3], figures: [5, 10], long: [9, 40] } as const)[FORM];
const OF_BATCH = 100;
const MERCHANTS = 20;
const WRITERS = 2;

interface Owner {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Notes what would be sent, and finds nothing. */
class Noted extends Database {
  readonly sent: Statement[] = [];

  override async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.sent.push({ text, values });
    if (!text.includes('RETURNING scope_id')) return [];
    const bookedAt = new Date();
    return (values[0] as string[]).map(
      (scopeId) => ({ scopeId, bookedAt, firstOpen: null }) as object as Row,
    );
  }

  override queryInTransaction<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.query<Row>(text, values);
  }
}

let ledger: TestLedger;
let bare: pg.Client;
let posted = 0;

beforeAll(async () => {
  ledger = await openLedger();
  bare = new pg.Client({ connectionString: ledger.url });
  await bare.connect();
}, 120_000);

afterAll(async () => {
  await bare?.end();
  await ledger?.close();
}, 600_000);

const newOwner = (): Owner => ({ organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() });
const merchants = Array.from({ length: MERCHANTS }, newOwner);

/** Confirmed payments of these merchants by turns, with a fee, so that each has three entries; the event log has them. */
async function batch(owners: readonly Owner[], size = OF_BATCH): Promise<Movement[]> {
  posted += size;
  const movements = Array.from({ length: size }, (_, n) =>
    confirmedPayment({ ...owners[n % owners.length]!, feeBasisPoints: 50 }),
  );
  await ledger.happen(movements);
  return movements;
}

async function batches(owners: readonly Owner[]): Promise<Movement[][]> {
  const all: Movement[][] = [];
  for (let n = 0; n < BATCHES; n += 1) all.push(await batch(owners));
  return all;
}

async function statementsOf(movements: readonly Movement[]): Promise<Statement[]> {
  const noted = new Noted(ledger.dataSource);
  await new PostMovements(new Journal(noted)).post(movements);
  return noted.sent;
}

const perSecond = (count: number, began: number) => (count / (performance.now() - began)) * 1_000;

async function oursAlone(): Promise<number> {
  const all = await batches(merchants);
  const began = performance.now();
  for (const movements of all) await ledger.post(movements);
  return perSecond(BATCHES * OF_BATCH, began);
}

async function bareLoop(): Promise<number> {
  const all: Statement[][] = [];
  for (const movements of await batches(merchants)) all.push(await statementsOf(movements));
  const began = performance.now();
  for (const statements of all) {
    await bare.query('BEGIN');
    for (const { text, values } of statements)
      await bare.query({ name: `s${NAMES.get(text)}`, text, values });
    await bare.query('COMMIT');
  }
  return perSecond(BATCHES * OF_BATCH, began);
}

const NAMES = new (class {
  private readonly names = new Map<string, number>();
  get(text: string): number {
    const name = this.names.get(text) ?? this.names.size;
    this.names.set(text, name);
    return name;
  }
})();

async function atOnce(owners: readonly (readonly Owner[])[]): Promise<number> {
  const work = await Promise.all(owners.map((own) => batches(own)));
  const began = performance.now();
  await Promise.all(
    work.map(async (all) => {
      for (const movements of all) await ledger.post(movements);
    }),
  );
  return perSecond(BATCHES * OF_BATCH * owners.length, began);
}

function printComparison(what: string, { ratios, noise, ours }: Comparison): void {
  process.stdout.write(
    row('what, beside what', 'of its rate', 'that beside itself', 'movements a second') +
      row(what, shown(ratios), shown(noise), shown(ours, 0)),
  );
}

describe('Posting to the ledger', () => {
  it('runs the same number of statements for a hundred movements as for ten', async () => {
    const counts: number[] = [];
    for (const size of [10, 100]) {
      const movements = await batch(merchants, size);
      const before = ledger.counted.statements;
      await ledger.post(movements);
      counts.push(ledger.counted.statements - before);
    }

    process.stdout.write(`Statements of a posting of 10 and of 100 movements: ${counts.join(', ')}\n`);
    expect(new Set(counts)).toEqual(new Set([6]));
  });

  it('reaches nearly the rate of a loop of the same statements', async () => {
    await oursAlone();
    await bareLoop();

    const compared = await comparedWith(PAIRS, bareLoop, oursAlone);

    printComparison('one worker, a bare loop of the same statements', compared);
    publishFigure({
      work: 'post movements to the ledger',
      result: `${typical(compared.ours)} per second`,
      limit: `loop of the same statements: ${typical(compared.limits)} per second`,
      ratios: compared.ratios,
      measurement: 'ledger',
    });
    if (LONG) expect(median(compared.ratios)).toBeGreaterThan(0.5);
  }, 900_000);

  it('posts to one busy account at nearly the rate of many accounts', async () => {
    const hot = newOwner();
    const writers = Array.from({ length: WRITERS }, () => Array.from({ length: MERCHANTS }, newOwner));
    const spread = () => atOnce(writers);
    const busy = () => atOnce(writers.map(() => [hot]));
    await spread();

    const compared = await comparedWith(PAIRS, spread, busy);

    printComparison(`${WRITERS} workers on one account, on ${MERCHANTS} accounts each`, compared);
    if (LONG) expect(median(compared.ratios)).toBeGreaterThan(0.4);
  }, 900_000);

  it('posts every movement once, and keeps the journal balanced', async () => {
    const [row] = await ledger.database.query(
      `SELECT (SELECT count(*) FROM ledger.transactions)::integer AS transactions,
         (SELECT sum(amount) FROM ledger.entries) AS sum,
         (SELECT count(*) FROM ledger.transactions t JOIN ledger.sequences s ON s.scope_id = t.account_id
          WHERE t.account_sequence > s.last)::integer AS beyond`,
    );

    expect(row).toEqual({ transactions: posted, sum: 0n, beyond: 0 });
  });
});
