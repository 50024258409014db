import type { DataSource } from 'typeorm';
import { changeTables } from './partition.js';

const CREATED_AHEAD_DAYS = 7;
const DEFAULT_TRANSACTIONS_PER_DAY = 1_000_000;
const PARTITION_DAYS = 30;

interface OpenPartition {
  readonly name: string;
  readonly from: bigint;
  readonly now: bigint;
  readonly perDay: bigint;
}

const SELECT_OPEN_PARTITION = `
SELECT p.name, p.from_transaction::text AS "from", pg_snapshot_xmax(pg_current_snapshot())::text AS now,
  (SELECT ((pg_snapshot_xmax(pg_current_snapshot())::text::numeric - s.transaction_id::text::numeric) * 86400
      / GREATEST(extract(epoch FROM clock_timestamp() - s.made_at), 3600))::bigint::text
    FROM platform.seals s WHERE s.number > 0 AND s.made_at > clock_timestamp() - interval '7 days'
    ORDER BY s.number LIMIT 1) AS "perDay"
FROM platform.event_partitions p WHERE p.to_transaction IS NULL`;

/**
 * Bounds the last partition about a month ahead, if it is in use or begins within a week, and adds an unbounded one.
 * Safe to repeat. @param owner owns the tables @param maxBytes a larger last partition stays as it is, because
 * PostgreSQL scans it to add a bound @returns null if none was needed
 */
export async function createNextPartition(owner: DataSource, maxBytes = Infinity): Promise<string | null> {
  const open = await findOpenPartition(owner);
  await dropLeftoverBounds(owner, open.name);
  const month = open.perDay * BigInt(PARTITION_DAYS);
  const begins = open.from > open.now ? open.from : open.now;
  if (begins - open.now > open.perDay * BigInt(CREATED_AHEAD_DAYS)) return null;
  const [{ bytes }] = (await owner.query(`SELECT pg_relation_size('platform.' || $1) AS bytes`, [
    open.name,
  ])) as [{ bytes: string }];
  if (Number(bytes) > maxBytes) return null;
  return divideOpenPartition(owner, begins + month);
}

/** A killed command leaves constraints that would reject events beyond their bound. */
async function dropLeftoverBounds(owner: DataSource, name: string): Promise<void> {
  const left = (await owner.query(
    `SELECT FROM pg_constraint WHERE conrelid = to_regclass('platform.' || $1) AND conname = $2`,
    [name, boundsConstraintName(name)],
  )) as object[];
  if (left.length > 0)
    await changeTables(
      owner,
      `ALTER TABLE platform.${name} DROP CONSTRAINT IF EXISTS ${boundsConstraintName(name)}`,
    );
}

async function findOpenPartition(owner: DataSource): Promise<OpenPartition> {
  const [row] = (await owner.query(SELECT_OPEN_PARTITION)) as [
    Record<'name' | 'from' | 'now', string> & { perDay: string | null },
  ];
  const rate = row.perDay === null ? DEFAULT_TRANSACTIONS_PER_DAY : Number(row.perDay);
  return {
    name: row.name,
    from: BigInt(row.from),
    now: BigInt(row.now),
    perDay: BigInt(Math.max(rate, DEFAULT_TRANSACTIONS_PER_DAY / 10)),
  };
}

/**
 * Reads and writes continue while existing rows are validated; the locks after that last milliseconds. @param end
 * greater than every assigned transaction id
 */
export async function divideOpenPartition(owner: DataSource, end: bigint): Promise<string> {
  const { name, from } = await findOpenPartition(owner);
  const next = `events_from_${end}`;
  const bounds = boundsConstraintName(name);
  const hasBounds = `CHECK (transaction_id >= '${from}'::xid8 AND transaction_id < '${end}'::xid8)`;
  try {
    await dropLeftoverBounds(owner, name);
    await changeTables(owner, `ALTER TABLE platform.${name} ADD CONSTRAINT ${bounds} ${hasBounds} NOT VALID`);
    await owner.query(`ALTER TABLE platform.${name} VALIDATE CONSTRAINT ${bounds}`);
    await changeTables(
      owner,
      `ALTER TABLE platform.events DETACH PARTITION platform.${name};
       ALTER TABLE platform.events ATTACH PARTITION platform.${name} ${boundsSql(from, end)};
       CREATE TABLE platform.${next} PARTITION OF platform.events (PRIMARY KEY (id)) ${boundsSql(end)};
       CREATE TRIGGER events_never_truncated BEFORE TRUNCATE ON platform.${next}
         FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
       UPDATE platform.event_partitions SET to_transaction = '${end}' WHERE name = '${name}';
       INSERT INTO platform.event_partitions (name, from_transaction) VALUES ('${next}', '${end}')`,
    );
  } catch (error) {
    await dropLeftoverBounds(owner, name);
    throw error;
  }
  return next;
}

const boundsConstraintName = (name: string) => `${name}_bounds`;

/** The first partition has no lower bound, because it once was the entire log. */
export function boundsSql(from: bigint, end?: bigint): string {
  return `FOR VALUES FROM (${from === 0n ? 'MINVALUE' : `'${from}'`}) TO (${end === undefined ? 'MAXVALUE' : `'${end}'`})`;
}
