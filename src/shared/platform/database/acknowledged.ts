import type { Queryable } from './server-identity.js';

export interface AcknowledgedRow {
  readonly table: 'platform.events' | 'payments.payment_requests';
  readonly id: string;
}

/** Maximum number of rows to remember. */
const MAX_KEPT_ROWS = 500;

export class AcknowledgedCommits {
  mark = 0;
  markedAt: Date | null = null;
  private readonly kept: AcknowledgedRow[] = [];
  private newest: string | null = null;

  constructor(
    readonly process: string,
    rows: readonly AcknowledgedRow[] = [],
  ) {
    this.kept.push(...rows);
  }

  addRows(table: AcknowledgedRow['table'], ids: readonly string[]): void {
    for (const id of ids) this.kept.push({ table, id });
    if (this.kept.length > 2 * MAX_KEPT_ROWS) this.kept.splice(0, this.kept.length - MAX_KEPT_ROWS);
  }

  setNewestEvent(event: string): void {
    if (event === this.newest) return;
    this.newest = event;
    this.addRows('platform.events', [event]);
  }

  get rows(): readonly AcknowledgedRow[] {
    return this.kept.slice(-MAX_KEPT_ROWS);
  }

  forgetRows(): void {
    this.kept.length = 0;
  }

  /** @returns null if nothing is missing; otherwise the missing rows, empty if only the mark is missing */
  async findMissingRows(connection: Queryable): Promise<readonly AcknowledgedRow[] | null> {
    const missing: AcknowledgedRow[] = [];
    for (const table of ['platform.events', 'payments.payment_requests'] as const) {
      const ids = this.rows.filter((row) => row.table === table && isRecent(row)).map(({ id }) => id);
      if (ids.length === 0) continue;
      const { rows } = await connection.query(
        `SELECT asked.id FROM unnest($1::uuid[]) AS asked (id)
         WHERE NOT EXISTS (SELECT FROM ${table} stored WHERE stored.id = asked.id)`,
        [ids],
      );
      missing.push(...rows.map(({ id }) => ({ table, id: String(id) })));
    }
    if (missing.length > 0) return missing;
    if (this.mark === 0) return null;
    const { rows } = await connection.query(
      'SELECT FROM platform.acknowledged_marks WHERE process = $1 AND mark >= $2',
      [this.process, this.mark],
    );
    return rows.length === 0 ? [] : null;
  }
}

const RECENT_MS = 86_400_000;

function isRecent({ id }: AcknowledgedRow): boolean {
  return Date.now() - Number.parseInt(id.replace('-', '').slice(0, 12), 16) < RECENT_MS;
}
