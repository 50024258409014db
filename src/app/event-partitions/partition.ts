import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { DomainError } from '#shared/kernel/domain-error.js';

/** A partition of the event log: the events of transaction ids from `from` on, `to` excluded. */
export interface Partition {
  /** The table in the schema `platform`. */
  readonly name: string;
  readonly from: string;
  /** Null for the last one, which has no end. */
  readonly to: string | null;
  /** The file with its events, and SHA-256 of the file in hexadecimal; null before it was archived. */
  readonly archive: string | null;
  readonly digest: string | null;
  readonly isDetached: boolean;
}

export type Sql = (text: string, values?: unknown[]) => Promise<never[]>;

const PARTITION = `name, from_transaction::text AS "from", to_transaction::text AS "to", archive,
  encode(archive_digest, 'hex') AS digest, detached_at IS NOT NULL AS "isDetached"`;

/** All partitions that there were, in the reading order. */
export async function partitionsOf(sql: Sql): Promise<Partition[]> {
  return sql(`SELECT ${PARTITION} FROM platform.event_partitions ORDER BY from_transaction`);
}

/** @throws PartitionRefused where there is none of that name */
export async function partitionNamed(sql: Sql, name: string): Promise<Partition> {
  const [found] = (await sql(`SELECT ${PARTITION} FROM platform.event_partitions WHERE name = $1`, [
    name,
  ])) as Partition[];
  if (found === undefined) throw new PartitionRefused(`The event log has no partition ${name}.`);
  return found;
}

/** The partition cannot be archived, detached or attached as it is. The sentence states why; nothing was changed. */
export class PartitionRefused extends DomainError {
  constructor(message: string) {
    super('conflict', 'state_conflict', message);
  }
}

const TRIES = 60;
const PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * One short transaction that changes tables. It waits for its locks for half a second at most, since everybody else waits behind it,
 * and tries again after a pause. @throws the database's error once it has tried for a minute
 */
export async function changeTables(owner: DataSource, statements: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await owner.transaction(async (manager) => {
        await manager.query(`SET LOCAL lock_timeout = '500ms'; ${statements}`);
      });
      return;
    } catch (error) {
      if (tried === TRIES || (error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
