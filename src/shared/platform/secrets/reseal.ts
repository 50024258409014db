import type { Database } from '../database/database.js';
import type { SecretBox } from './secret-box.js';

/** Where sealed secrets are stored; the names are constants of the code. */
export interface SealedColumns {
  readonly table: string;
  readonly keyId: string;
  readonly bytes: string;
}

export interface Resealed {
  /** Sealed anew under the first key of the ring. */
  readonly resealed: number;
  /** Left as they are: their key is not in the ring, or the bytes are not those that were sealed. */
  readonly unreadable: number;
}

/** Rows that are locked together. */
const BATCH = 100;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Seals anew what another key than the first of the ring has sealed. Safe to repeat, and for several at once. */
export async function resealAll(
  database: Database,
  box: SecretBox,
  columns: SealedColumns,
): Promise<Resealed> {
  const { table, keyId, bytes } = columns;
  let [resealed, unreadable, after] = [0, 0, BEFORE_ALL];
  for (;;) {
    const last = await database.run(async () => {
      const rows = await database.write<{ id: string; keyId: string; bytes: Buffer }>(
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
          await database.write(`UPDATE ${table} SET ${keyId} = $2, ${bytes} = $3 WHERE id = $1`, values);
          resealed += 1;
        }
      }
      return rows.at(-1)?.id;
    });
    if (last === undefined) return { resealed, unreadable };
    after = last;
  }
}
