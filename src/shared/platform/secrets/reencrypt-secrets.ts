import type { Database } from '../database/database.js';
import type { SecretBox } from './secret-box.js';

export interface EncryptedColumns {
  readonly table: string;
  readonly keyId: string;
  readonly bytes: string;
}

export interface ReencryptionCounts {
  readonly resealed: number;
  /** Their key is not in the key ring, or they have been tampered with. */
  readonly unreadable: number;
}

const ROWS_PER_BATCH = 100;
const LOWEST_ROW_ID = '00000000-0000-0000-0000-000000000000';

/** Safe to repeat and to run concurrently. */
export async function reencryptSecrets(
  database: Database,
  box: SecretBox,
  columns: EncryptedColumns,
): Promise<ReencryptionCounts> {
  const { table, keyId, bytes } = columns;
  let [resealed, unreadable, after] = [0, 0, LOWEST_ROW_ID];
  for (;;) {
    const last = await database.run(async () => {
      const rows = await database.queryInTransaction<{ id: string; keyId: string; bytes: Buffer }>(
        `SELECT id, ${keyId} AS key_id, ${bytes} AS bytes FROM ${table}
         WHERE ${keyId} <> $1 AND id > $2 ORDER BY id LIMIT ${ROWS_PER_BATCH} FOR UPDATE`,
        [box.firstKeyId, after],
      );
      for (const { id, ...sealed } of rows) {
        const secret = box.decrypt(id, sealed);
        if (secret === null) unreadable += 1;
        else {
          const encrypted = box.encrypt(id, secret);
          const values = [id, encrypted.keyId, encrypted.bytes];
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
