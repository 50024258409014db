import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { DomainError } from '#shared/kernel/domain-error.js';

/** Transaction ids from `from` (inclusive) to `to` (exclusive). */
export interface Partition {
  readonly name: string;
  readonly from: string;
  readonly to: string | null;
  readonly archive: string | null;
  readonly digest: string | null;
  readonly isDetached: boolean;
}

export type RunSql = (text: string, values?: unknown[]) => Promise<never[]>;

const PARTITION_COLUMNS = `name, from_transaction::text AS "from", to_transaction::text AS "to", archive,
  encode(archive_digest, 'hex') AS digest, detached_at IS NOT NULL AS "isDetached"`;

export async function listPartitions(sql: RunSql): Promise<Partition[]> {
  return sql(`SELECT ${PARTITION_COLUMNS} FROM platform.event_partitions ORDER BY from_transaction`);
}

export async function findPartition(sql: RunSql, name: string): Promise<Partition> {
  const [found] = (await sql(`SELECT ${PARTITION_COLUMNS} FROM platform.event_partitions WHERE name = $1`, [
    name,
  ])) as Partition[];
  if (found === undefined) throw new PartitionConflict(`The event log has no partition ${name}.`);
  return found;
}

export class PartitionConflict extends DomainError {
  constructor(message: string) {
    super('conflict', 'state_conflict', message);
  }
}

const MAX_LOCK_TRIES = 60;
const PAUSE_BETWEEN_TRIES_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Waits for locks for at most half a second, because other sessions queue behind the waiting statement. @throws the
 * error of the database after 60 attempts
 */
export async function changeTables(owner: DataSource, statements: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await owner.transaction(async (manager) => {
        await manager.query(`SET LOCAL lock_timeout = '500ms'; ${statements}`);
      });
      return;
    } catch (error) {
      if (tried === MAX_LOCK_TRIES || (error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    }
    await sleep(PAUSE_BETWEEN_TRIES_MS);
  }
}
