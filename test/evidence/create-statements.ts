import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { buildAddPaymentRequestSql } from '#contexts/payments/infrastructure/requests/persistence/add-payment-request.sql.js';
import { newId } from '#shared/kernel/ids.js';
import type { CreateWorld, Owner } from './create-world.js';
import { median } from './measures.js';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'WAL Bytes'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** Explains the statement that creates a request, and rolls it back each time. Returns the blocks read and bytes of WAL (median). */
export async function explainCreation(
  { service, whose }: CreateWorld,
  times: number,
): Promise<{ blocks: number; walBytes: number }> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  const parts: Plan[][] = [];
  try {
    for (let n = 0; n < times; n += 1) {
      const [text, values] = creationOf(whose);
      await client.query('BEGIN');
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, BUFFERS, WAL, FORMAT JSON) ${text}`,
        values,
      );
      await client.query('ROLLBACK');
      parts.push(partsOf(rows[0]!['QUERY PLAN'][0]!.Plan));
    }
  } finally {
    await client.end();
  }
  const sum = (of: (part: Plan) => number) =>
    median(parts.map((each) => each.reduce((total, part) => total + of(part), 0)));
  return {
    blocks: sum((part) => part['Shared Hit Blocks'] + part['Shared Read Blocks']),
    // A full-page image after a checkpoint would distort a mean.
    walBytes: sum((part) => part['WAL Bytes'] ?? 0),
  };
}

/** The response reads from the insert of the event, which reads from that of the request: their readers include their cost. */
function partsOf(plan: Plan): Plan[] {
  const inserts = everyPlan(plan).filter((one) => one['Node Type'] === 'ModifyTable');
  return [plan, ...inserts].filter(
    (part) => !['payment_requests', 'events'].includes(part['Relation Name'] ?? ''),
  );
}

function everyPlan(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(everyPlan)];
}

function creationOf({ facts, selected, event, version }: Owner): readonly [text: string, values: unknown[]] {
  const now = new Date();
  const address = `0x${randomBytes(20).toString('hex')}`;
  const request = {
    facts: { ...facts, id: newId(), createdAt: now, referenceId: 'order-1042', order: { total: '12.5' } },
    selected: {
      ...selected,
      amount: BigInt(selected.amount),
      depositAddress: { ...selected.depositAddress, address },
    },
    snapshot: () => ({ status: 'created', expiresAt: now, countsUntil: now }),
  };
  return buildAddPaymentRequestSql(
    { request, token: randomBytes(300).toString('base64url') } as never,
    event as never,
    version,
  );
}
