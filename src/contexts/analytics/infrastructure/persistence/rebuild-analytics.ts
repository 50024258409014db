import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { Database } from '#shared/platform/database/database.js';
import { ANALYTICS_SUBSCRIBER, IS_COUNTED_EVENT } from '../analytics-subscriber.js';
import { ANALYTICS_WITHOUT_EVENTS } from './analytics-changes.sql.js';

const REBUILT_UP_TO_TRANSACTION = `pg_snapshot_xmin(pg_current_snapshot())`;

const ASSET_COLUMNS = `unique_asset_id, network, currency, decimals`;

/** Run in one snapshot. Sorted, so that rows that a page reads together are stored together. */
const RECOUNT_QUERIES: Readonly<Record<'assets' | 'deposits' | 'daily', string>> = {
  assets: `SELECT DISTINCT ON (unique_asset_id) ${ASSET_COLUMNS} FROM (
    SELECT ${ASSET_COLUMNS} FROM payments.public_request_records WHERE confirmed_at IS NOT NULL
    UNION ALL SELECT ${ASSET_COLUMNS} FROM payments.public_booked_transfers
    UNION ALL SELECT ${ASSET_COLUMNS} FROM settlement.public_settlement_records
    UNION ALL SELECT ${ASSET_COLUMNS} FROM settlement.public_refund_records) named`,
  deposits: `SELECT id AS transfer_id, organization_id, account_id, payment_request_id, unique_asset_id, amount, deposited_at AS at
    FROM payments.public_booked_transfers
    WHERE deposited_at IS NOT NULL AND reversed_at IS NULL AND gathered_on IS NULL`,
  daily: `WITH events AS MATERIALIZED (SELECT * FROM platform.events
      WHERE transaction_id >= ${REBUILT_UP_TO_TRANSACTION} AND ${IS_COUNTED_EVENT})
    ${ANALYTICS_WITHOUT_EVENTS}
    ORDER BY scope_id, day, figure`,
};

const REBUILD_LOCK = 5125780132;

const ROWS_PER_STATEMENT = 2_000;

@Injectable()
export class RebuildAnalytics {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {}

  /**
   * Reads in a transaction that writes nothing, because readers of the event log wait for writing ones. Writes a new
   * generation, and makes it current together with the checkpoint, so a killed run has no visible effect. Requires
   * two connections without timeouts. @throws state_conflict during another rebuild
   */
  async rebuild(): Promise<Record<keyof typeof RECOUNT_QUERIES, number>> {
    const reader = this.dataSource.createQueryRunner();
    try {
      await reader.startTransaction('REPEATABLE READ');
      // Locks for the transaction, because a session lock would not work with a connection pooler.
      const [{ alone }] = await reader.query(`SELECT pg_try_advisory_xact_lock(${REBUILD_LOCK}) AS alone`);
      if (!alone)
        throw stateConflict(
          'Another run is already recalculating the analytics. Wait until it has finished.',
        );
      const [{ as_of: asOf }] = await reader.query(`SELECT ${REBUILT_UP_TO_TRANSACTION}::text AS as_of`);
      const generation = (await this.removeOtherGenerations()) + 1;
      const rows = {
        assets: await this.copyRows(reader, 'assets', generation),
        deposits: await this.copyRows(reader, 'deposits', generation),
        daily: await this.copyRows(reader, 'daily', generation),
      };
      await this.database.run(() => this.makeGenerationCurrent(generation, asOf));
      await this.removeOtherGenerations();
      return rows;
    } finally {
      if (reader.isTransactionActive) await reader.rollbackTransaction();
      await reader.release();
    }
  }

  private async copyRows(
    reader: QueryRunner,
    table: keyof typeof RECOUNT_QUERIES,
    generation: number,
  ): Promise<number> {
    await reader.query(`DECLARE ${table} CURSOR FOR
      SELECT (to_jsonb(counted) || '{"generation": ${generation}}')::text AS row FROM (${RECOUNT_QUERIES[table]}) counted`);
    for (let copied = 0; ;) {
      const rows: { row: string }[] = await reader.query(`FETCH ${ROWS_PER_STATEMENT} FROM ${table}`);
      if (rows.length === 0) return copied;
      // Rows stay JSON strings, because JavaScript numbers cannot hold amounts in smallest units.
      await this.database.query(
        `INSERT INTO figures.${table} SELECT * FROM jsonb_populate_recordset(NULL::figures.${table}, $1::jsonb)
         ON CONFLICT DO NOTHING`,
        [`[${rows.map(({ row }) => row).join()}]`],
      );
      copied += rows.length;
    }
  }

  private async makeGenerationCurrent(generation: number, asOf: string): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position) VALUES ($1, $2, 0)
       ON CONFLICT (subscriber) DO UPDATE SET transaction_id = excluded.transaction_id, position = 0,
         moved_at = clock_timestamp()`,
      [ANALYTICS_SUBSCRIBER, asOf],
    );
    await this.database.queryInTransaction(`UPDATE figures.present SET generation = $1, complete = true`, [
      generation,
    ]);
    await this.database.queryInTransaction(`DELETE FROM platform.parked_events WHERE subscriber = $1`, [
      ANALYTICS_SUBSCRIBER,
    ]);
  }

  /** @returns the current generation */
  private async removeOtherGenerations(): Promise<number> {
    const [row] = await this.database.query<{ generation: number }>('SELECT generation FROM figures.present');
    const { generation } = row!;
    for (const table of ['daily', 'deposits'])
      for (let removed = ROWS_PER_STATEMENT; removed === ROWS_PER_STATEMENT;) {
        const rows = await this.database.query(
          `DELETE FROM figures.${table} WHERE ctid IN (SELECT ctid FROM figures.${table}
             WHERE generation < $1 OR generation > $1 LIMIT ${ROWS_PER_STATEMENT}) RETURNING 1`,
          [generation],
        );
        removed = rows.length;
      }
    return generation;
  }
}
