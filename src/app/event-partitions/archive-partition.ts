import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { HASHED_EVENT_SQL } from '#shared/platform/seals/event-hash-chain.js';
import { writeGzipLines, type ArchiveHead } from './archive-file.js';
import { findPartition, PartitionConflict, listPartitions, type Partition } from './partition.js';
import { compareArchive } from './read-archive.js';

export const ARCHIVED_AFTER_DAYS = 90;

const EVENTS_PER_READ = 2_000;

/** Each query returns a row if the reason applies. */
const REASONS_TO_KEEP: Readonly<Record<string, (table: string) => string>> = {
  [`it has events of the last ${ARCHIVED_AFTER_DAYS} days`]: (table) =>
    `SELECT FROM ${table} e WHERE e.occurred_at > platform.now() - interval '${ARCHIVED_AFTER_DAYS} days'`,
  'a subscriber has not read all its events': (table) =>
    `SELECT FROM platform.subscriber_positions p JOIN ${table} e ON (e.transaction_id, e.position) > (p.transaction_id, p.position)`,
  'it has a dead-lettered event': (table) =>
    `SELECT FROM platform.parked_events p JOIN ${table} e ON e.id = p.event_id`,
  'it has events that are not in the hash chain yet': (table) => `SELECT FROM ${table} e
    WHERE (e.transaction_id, e.position) > (SELECT transaction_id, position FROM platform.seals ORDER BY number DESC LIMIT 1)`,
  'a delivery of one of its events is still stored': (table) =>
    `SELECT FROM webhooks.deliveries d JOIN ${table} e ON e.id = d.event_id`,
  'a refund or withdrawal from it is in progress': (table) =>
    `SELECT FROM settlement.refund_float_payouts p JOIN ${table} e ON e.aggregate_id = p.id WHERE p.status = 'processing'`,
  'a payment by signature from it is in progress': (table) => `SELECT FROM payments.authorizations a
    JOIN ${table} e ON e.aggregate_id = a.payment_request_id WHERE a.state IN ('queued', 'sent')`,
};

export interface ArchivedPartition {
  readonly partition: string;
  readonly file: string;
  readonly events: number;
  readonly digest: string;
}

/** The partition stays in the event log, and writers are not blocked. @throws PartitionConflict */
export async function archivePartition(
  owner: DataSource,
  name: string,
  folder: string,
): Promise<ArchivedPartition> {
  const sql = (text: string, values?: unknown[]) => owner.query(text, values);
  const partition = await findPartition(sql, name);
  await requirePartitionUnneeded(owner, partition);
  const file = join(folder, `${name}.jsonl.gz`);
  await writeGzipLines(file, readArchiveLines(owner, partition));
  const { events, digest, breaches } = await compareArchive(sql, file);
  // This file may replace an earlier archive with another digest. Only the events must match.
  const wrong = breaches.filter((breach) => !('archived' in breach));
  if (wrong.length > 0)
    throw new PartitionConflict(
      `The events of ${name} do not match the hash chain: ${JSON.stringify(wrong[0])}. Run \`operator verify\`.`,
    );
  await owner.query(
    `UPDATE platform.event_partitions SET archive = $2, archive_digest = decode($3, 'hex'), archived_events = $4,
       archived_at = clock_timestamp() WHERE name = $1`,
    [name, file, digest, events],
  );
  return { partition: name, file, events, digest };
}

/** Only the oldest partition may go, so that the event log has no gaps. @throws PartitionConflict */
export async function requirePartitionUnneeded(owner: DataSource, partition: Partition): Promise<void> {
  const sql = (text: string, values?: unknown[]) => owner.query(text, values);
  const { name, to } = partition;
  if (partition.isDetached) throw new PartitionConflict(`${name} is already detached.`);
  const oldest = (await listPartitions(sql)).find(({ isDetached }) => !isDetached);
  if (oldest?.name !== name)
    throw new PartitionConflict(
      `${name} is not the oldest partition. Archive ${oldest?.name ?? 'none'} first.`,
    );
  const [{ over }] = (await owner.query(
    `SELECT COALESCE($1::xid8 <= pg_snapshot_xmin(pg_current_snapshot()), false) AS over`,
    [to],
  )) as [{ over: boolean }];
  if (!over) throw new PartitionConflict(`${name} is still in use.`);
  for (const [reason, rows] of Object.entries(REASONS_TO_KEEP)) {
    const found: unknown[] = await owner.query(`${rows(`platform.${name}`)} LIMIT 1`);
    if (found.length > 0) throw new PartitionConflict(`${name} is still needed: ${reason}.`);
  }
}

async function* readArchiveLines(owner: DataSource, { name, from, to }: Partition): AsyncIterable<string> {
  const head: ArchiveHead = { format: 'event-log-archive-1', partition: name, from, to: to! };
  yield JSON.stringify(head);
  let after = ['0', '-1'];
  for (;;) {
    const rows: { transaction: string; position: string; line: string }[] = await owner.query(
      `SELECT e.transaction_id::text AS transaction, e.position::text, ${HASHED_EVENT_SQL} AS line FROM platform.${name} e
       WHERE (e.transaction_id, e.position) > ($1::xid8, $2::bigint)
       ORDER BY e.transaction_id, e.position LIMIT ${EVENTS_PER_READ}`,
      after,
    );
    for (const { line } of rows) yield line;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = [last.transaction, last.position];
  }
}
