import type { DataSource } from 'typeorm';

/** Shared with earlier releases, whose migrations take it too. */
const LOCK = 'SELECT pg_advisory_xact_lock(5125780131)';

/**
 * Lets one migration or command change tables at a time: another one waits. The lock belongs to a transaction, not to a session,
 * so that it also holds behind a connection pooler.
 * @param owner with room for two connections
 */
export async function oneChangeOfTables<Result>(
  owner: DataSource,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = owner.createQueryRunner();
  try {
    await lock.startTransaction();
    await lock.query(LOCK);
    return await work();
  } finally {
    await lock.release();
  }
}
