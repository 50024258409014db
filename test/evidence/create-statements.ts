import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { READ_CREDENTIAL } from '#contexts/identity/infrastructure/credentials/persistence/postgres-credential-proofs.js';
import { addRequest } from '#contexts/payments/infrastructure/requests/persistence/add-payment-request.sql.js';
import { newId } from '#shared/kernel/ids.js';
import type { CreateWorld, Owner } from './create-world.js';
import { median } from './measures.js';

type Statement = readonly [text: string, values: unknown[]];

/** EXPLAIN answers this in JSON; times are in milliseconds. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly 'Actual Total Time': number;
  readonly 'WAL Records'?: number;
  readonly 'WAL Bytes'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

interface Explained {
  readonly Plan: Plan;
  readonly Triggers: readonly { 'Trigger Name': string; 'Constraint Name'?: string; Time: number }[];
  readonly 'Execution Time': number;
}

/** The cost of one statement, on average. */
export interface StatementCost {
  readonly ms: number;
  /** Blocks of tables and indexes that were looked at. */
  readonly blocks: number;
  /** The median: the first change of a page after a checkpoint writes the whole page, whichever statement that is. */
  readonly walBytes: number;
  readonly walRecords: number;
  readonly triggers: readonly { name: string; ms: number }[];
  /** Time and WAL of each table's insert, what its rows are selected from included. */
  readonly tables: readonly { name: string; ms: number; bytes: number }[];
  /** How many were inserted, by table. */
  readonly rows: Record<string, number>;
}

/** Both statements of a creation as PostgreSQL explains them, each undone again. */
export async function explainCreation(
  { service, whose }: CreateWorld,
  times: number,
): Promise<{ credential: StatementCost; creation: StatementCost }> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    return {
      credential: await explain(client, times, () => [READ_CREDENTIAL, [whose.keyId]]),
      creation: await explain(client, times, () => creationOf(whose)),
    };
  } finally {
    await client.end();
  }
}

function creationOf({ facts, selected, event, version }: Owner): Statement {
  const now = new Date();
  const address = `0x${randomBytes(20).toString('hex')}`;
  const request = {
    facts: { ...facts, id: newId(), createdAt: now, referenceId: 'order-1042', order: { total: '12.5' } },
    selected: {
      ...selected,
      amount: BigInt(selected.amount),
      depositAddress: { ...selected.depositAddress, address },
    },
    snapshot: () => ({ expiresAt: now, countsUntil: now }),
    pullEvents: () => [event],
  };
  return addRequest({ request, token: randomBytes(300).toString('base64url') } as never, version);
}

async function explain(client: pg.Client, times: number, next: () => Statement): Promise<StatementCost> {
  const seen: Explained[] = [];
  let rows: Record<string, number> = {};
  for (let n = 0; n < times; n += 1) {
    const [text, values] = next();
    await client.query('BEGIN');
    const before = await insertedRows(client);
    const { rows: explained } = await client.query<{ 'QUERY PLAN': Explained[] }>(
      `EXPLAIN (ANALYZE, VERBOSE, BUFFERS, WAL, FORMAT JSON) ${text}`,
      values,
    );
    seen.push(explained[0]!['QUERY PLAN'][0]!);
    rows = grown(before, await insertedRows(client));
    await client.query('ROLLBACK');
  }
  const [first] = seen as [Explained];
  const mean = (of: (one: Explained) => number) => seen.reduce((sum, one) => sum + of(one), 0) / times;
  const inserts = (one: Explained) =>
    everyPlan(one.Plan).filter((plan) => plan['Node Type'] === 'ModifyTable');
  // The answer reads from the event's insert, and the first of the others from the request's: each is part of its reader's figures.
  const read = ['payment_requests', 'events'];
  const parts = ({ Plan: plan, ...rest }: Explained) =>
    [plan, ...inserts({ Plan: plan, ...rest })].filter((part) => !read.includes(part['Relation Name'] ?? ''));
  const total = (one: Explained, of: (part: Plan) => number) =>
    parts(one).reduce((sum, part) => sum + of(part), 0);
  const added = (of: (part: Plan) => number) => mean((one) => total(one, of));
  return {
    ms: mean((one) => one['Execution Time']),
    blocks: added((part) => part['Shared Hit Blocks'] + part['Shared Read Blocks']),
    walBytes: median(seen.map((one) => total(one, (part) => part['WAL Bytes'] ?? 0))),
    walRecords: added((part) => part['WAL Records'] ?? 0),
    triggers: first.Triggers.map((trigger, n) => ({
      name: trigger['Constraint Name'] ?? trigger['Trigger Name'],
      ms: mean((one) => one.Triggers[n]!.Time),
    })),
    tables: inserts(first).map((plan, n) => ({
      name: `${plan.Schema}.${plan['Relation Name']}`,
      ms: mean((one) => inserts(one)[n]!['Actual Total Time']),
      bytes: mean((one) => inserts(one)[n]!['WAL Bytes'] ?? 0),
    })),
    rows,
  };
}

function everyPlan(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(everyPlan)];
}

function grown(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const counts = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** The rows that this connection inserted since it last reported to the server's statistics. */
async function insertedRows(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; inserted: number }>(
    `SELECT COALESCE(inhparent, relid)::regclass::text AS name, n_tup_ins::integer AS inserted
     FROM pg_stat_xact_user_tables LEFT JOIN pg_inherits ON inhrelid = relid WHERE n_tup_ins > 0`,
  );
  return Object.fromEntries(rows.map(({ name, inserted }) => [name, inserted]));
}
