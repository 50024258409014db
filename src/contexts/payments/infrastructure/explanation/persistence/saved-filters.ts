import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import type { CollaboratorId } from '#shared/kernel/ids.js';

export interface SavedFilter {
  readonly name: string;
  /** Query of the URL of the list. */
  readonly query: string;
}

export const MAX_SAVED_FILTERS = 20;

/** Stores filters of the list of payments, by collaborator. */
@Injectable()
export class SavedFilters {
  constructor(private readonly database: Database) {}

  /** Sorted by name. */
  list(owner: CollaboratorId): Promise<SavedFilter[]> {
    return this.database.query<SavedFilter>(
      'SELECT name, query FROM payments.saved_filters WHERE collaborator_id = $1 ORDER BY lower(name), name',
      [owner],
    );
  }

  /** Replaces a filter with the same name. @returns false if the collaborator has too many others */
  async save(owner: CollaboratorId, { name, query }: SavedFilter): Promise<boolean> {
    // Serializes the requests of one collaborator, so that they cannot exceed the limit together.
    await this.database.queryInTransaction(
      `SELECT pg_advisory_xact_lock(hashtextextended('saved filters ' || $1, 0))`,
      [owner],
    );
    const rows = await this.database.queryInTransaction(
      `INSERT INTO payments.saved_filters (collaborator_id, name, query) SELECT $1, $2, $3
       WHERE (SELECT count(*) FROM payments.saved_filters WHERE collaborator_id = $1 AND name <> $2) < $4
       ON CONFLICT (collaborator_id, name) DO UPDATE SET query = excluded.query RETURNING name`,
      [owner, name, query, MAX_SAVED_FILTERS],
    );
    return rows.length > 0;
  }

  /** @returns the removed filter, if any */
  async remove(owner: CollaboratorId, name: string): Promise<SavedFilter | undefined> {
    const [row] = await this.database.queryInTransaction<SavedFilter>(
      'DELETE FROM payments.saved_filters WHERE collaborator_id = $1 AND name = $2 RETURNING name, query',
      [owner, name],
    );
    return row;
  }
}
