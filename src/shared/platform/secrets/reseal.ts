import type { Database } from '../database/database.js';
import type { SecretBox } from './secret-box.js';

/** A table with sealed secrets. The names are constants in the code. */
export interface SealedColumns {
  readonly table: string;
  readonly keyId: string;
  readonly bytes: string;
}

export interface Resealed {
  /** Re-encrypted with the ring's first key. */
  readonly resealed: number;
  /** Unchanged: the key is not in the ring, or the bytes are not authentic. */
  readonly unreadable: number;
}

/** Number of rows locked together. */
const BATCH = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Re-encrypts secrets that are not sealed with the ring's first key. Safe to repeat and to run concurrently. */
export async function resealAll(
  database: Database,
  box: SecretBox,
  columns: SealedColumns,
): Promise<Resealed> {
  const { table, keyId, bytes } = columns;
  let [resealed, unreadable, after] = [0, 0, BEFORE_ALL];
  for (;;) {
    const last = await database.run(async () => {
      const rows = await database.queryInTransaction<{ id: string; keyId: string; bytes: Buffer }>(
        `SELECT id, ${keyId} AS key_id, ${bytes} AS bytes FROM ${table}
         WHERE ${keyId} <> $1 AND id > $2 ORDER BY id LIMIT ${BATCH} FOR UPDATE`,
        [box.firstKeyId, after],
      );
      for (const { id, ...sealed } of rows) {
        const secret = box.open(id, sealed);
        if (secret === null) unreadable += 1;
        else {
          const anew = box.seal(id, secret);
          const values = [id, anew.keyId, anew.bytes];
          await database.queryInTransaction(
            `UPDATE ${table} SET ${keyId} = $2, ${bytes} = $3 WHERE id = $1`,
            values,
          );
          resealed += 1;
        }
      }
      return rows.at(-1)?.id;
    });
    if (last === undefined) return { resealed, unreadable };
    after = last;
  }
}
