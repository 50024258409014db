import type { DataSource } from 'typeorm';
import { requirePartitionUnneeded } from './archive-partition.js';
import { boundsSql } from './make-ready.js';
import { changeTables, findPartition, PartitionConflict } from './partition.js';
import { compareArchive } from './read-archive.js';

/** Reads and writes of the event log continue. Safe to repeat after an interruption. @throws PartitionConflict */
export async function detachPartition(owner: DataSource, name: string): Promise<void> {
  const sql = (text: string, values?: unknown[]) => owner.query(text, values);
  const partition = await findPartition(sql, name);
  if (partition.archive === null)
    throw new PartitionConflict(
      `${name} is not archived. Run \`operator partitions archive ${name} …\` first.`,
    );
  const { breaches } = await compareArchive(sql, partition.archive);
  if (breaches.length > 0)
    throw new PartitionConflict(`The archive does not match the hash chain: ${JSON.stringify(breaches[0])}.`);
  if (!partition.isDetached) await requirePartitionUnneeded(owner, partition);
  // Recorded before the partition is dropped, so that `operator verify` no longer expects its events.
  await owner.query(
    `UPDATE platform.event_partitions SET detached_at = clock_timestamp() WHERE name = $1 AND detached_at IS NULL`,
    [name],
  );
  const [attached] = (await owner.query(
    `SELECT inhdetachpending AS begun FROM pg_inherits WHERE inhrelid = to_regclass('platform.' || $1)`,
    [name],
  )) as { begun: boolean }[];
  if (attached !== undefined)
    await owner.query(
      `ALTER TABLE platform.events DETACH PARTITION platform.${name} ${attached.begun ? 'FINALIZE' : 'CONCURRENTLY'}`,
    );
  await changeTables(owner, `DROP TABLE IF EXISTS platform.${name}`);
}

/** Uses small transactions, because subscribers wait for the oldest open one. @throws PartitionConflict */
export async function attachPartition(owner: DataSource, file: string): Promise<string> {
  const sql = (text: string, values?: unknown[]) => owner.query(text, values);
  const { partition, breaches } = await compareArchive(sql, file);
  const { name, from, to } = partition;
  if (breaches.length > 0)
    throw new PartitionConflict(`The archive does not match the hash chain: ${JSON.stringify(breaches[0])}.`);
  if (!partition.isDetached) throw new PartitionConflict(`${name} is not detached.`);
  const table = `platform.${name}`;
  await changeTables(
    owner,
    `DROP TABLE IF EXISTS ${table};
     CREATE TABLE ${table} (LIKE platform.events INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING STORAGE, PRIMARY KEY (id),
       CONSTRAINT ${name}_bounds CHECK (transaction_id >= '${from}'::xid8 AND transaction_id < '${to!}'::xid8));
     CREATE TRIGGER events_never_truncated BEFORE TRUNCATE ON ${table}
       FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change()`,
  );
  await compareArchive(sql, file, async (lines) => {
    await owner.query(
      `INSERT INTO ${table} (id, transaction_id, position, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT (e ->> 0)::uuid, (e ->> 1)::xid8, (e ->> 2)::bigint, e ->> 3, (e ->> 4)::uuid, (e ->> 5)::uuid,
         (e ->> 6)::uuid, timestamptz 'epoch' + (e ->> 7)::float8 * interval '1 second', e -> 8
       FROM unnest($1::jsonb[]) e`,
      [lines],
    );
  });
  await changeTables(
    owner,
    `ALTER TABLE platform.events ATTACH PARTITION ${table} ${boundsSql(BigInt(from), BigInt(to!))};
     UPDATE platform.event_partitions SET detached_at = NULL WHERE name = '${name}'`,
  );
  return name;
}
