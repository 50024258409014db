import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { Database } from '#shared/platform/database/database.js';
import { ANALYTICS_SUBSCRIBER, IS_COUNTED } from '../analytics-subscriber.js';
import { COUNTED_BEFORE } from './analytics-changes.sql.js';

/** Events of transactions that had ended before the snapshot are counted; the subscriber goes on behind these. */
const AS_OF = `pg_snapshot_xmin(pg_current_snapshot())`;

const ASSET = `unique_asset_id, network, currency, decimals`;

/** The rows of each table, read in one snapshot; those that a page reads together stand together. */
const COUNTED: Readonly<Record<'assets' | 'deposits' | 'daily', string>> = {
  assets: `SELECT DISTINCT ON (unique_asset_id) ${ASSET} FROM (
    SELECT ${ASSET} FROM payments.public_request_records WHERE confirmed_at IS NOT NULL
    UNION ALL SELECT ${ASSET} FROM payments.public_booked_transfers
    UNION ALL SELECT ${ASSET} FROM settlement.public_settlement_records
    UNION ALL SELECT ${ASSET} FROM settlement.public_refund_records) named`,
  deposits: `SELECT id AS transfer_id, organization_id, account_id, payment_request_id, unique_asset_id, amount, deposited_at AS at
    FROM payments.public_booked_transfers
    WHERE deposited_at IS NOT NULL AND reversed_at IS NULL AND gathered_on IS NULL`,
  daily: `WITH events AS MATERIALIZED (SELECT * FROM platform.events
      WHERE transaction_id >= ${AS_OF} AND ${IS_COUNTED})
    ${COUNTED_BEFORE}
    ORDER BY scope_id, day, figure`,
};

/** The number of the lock that lets one run count at a time; nothing else locks it. */
const LOCK = 5125780132;

/** Rows written or removed by one statement. */
const STEP = 2_000;

/** Counts all figures anew, from the records of other contexts, while the subscriber and the pages go on. */
@Injectable()
export class RebuildAnalytics {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {}

  /**
   * Reads in one transaction that writes nothing, so that no reader of the event log waits for it; writes a generation of its own
   * in short statements; then makes that the present one and moves the subscriber's position to the snapshot, in one
   * transaction. A run that is killed has changed nothing that is seen. It needs two connections without timeouts.
   * @returns the number of rows of each table @throws state_conflict while another run counts
   */
  async rebuild(): Promise<Record<keyof typeof COUNTED, number>> {
    const reader = this.dataSource.createQueryRunner();
    try {
      await reader.startTransaction('REPEATABLE READ');
      // It ends with the transaction, and holds behind a pooler.
      const [{ alone }] = await reader.query(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS alone`);
      if (!alone)
        throw stateConflict(
          'Another run is already recalculating the analytics. Wait until it has finished.',
        );
      const [{ as_of: asOf }] = await reader.query(`SELECT ${AS_OF}::text AS as_of`);
      const generation = (await this.removeOthers()) + 1;
      const rows = {
        assets: await this.copy(reader, 'assets', generation),
        deposits: await this.copy(reader, 'deposits', generation),
        daily: await this.copy(reader, 'daily', generation),
      };
      await this.database.run(() => this.makePresent(generation, asOf));
      await this.removeOthers();
      return rows;
    } finally {
      if (reader.isTransactionActive) await reader.rollbackTransaction();
      await reader.release();
    }
  }

  private async copy(reader: QueryRunner, table: keyof typeof COUNTED, generation: number): Promise<number> {
    await reader.query(`DECLARE ${table} CURSOR FOR
      SELECT (to_jsonb(counted) || '{"generation": ${generation}}')::text AS row FROM (${COUNTED[table]}) counted`);
    for (let copied = 0; ;) {
      const rows: { row: string }[] = await reader.query(`FETCH ${STEP} FROM ${table}`);
      if (rows.length === 0) return copied;
      // The texts stay as they are: JavaScript has no numbers of that size.
      await this.database.query(
        `INSERT INTO figures.${table} SELECT * FROM jsonb_populate_recordset(NULL::figures.${table}, $1::jsonb)
         ON CONFLICT DO NOTHING`,
        [`[${rows.map(({ row }) => row).join()}]`],
      );
      copied += rows.length;
    }
  }

  private async makePresent(generation: number, asOf: string): Promise<void> {
    // Waits for a turn that has begun, and keeps the next one waiting.
    await this.database.write(
      `INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position) VALUES ($1, $2, 0)
       ON CONFLICT (subscriber) DO UPDATE SET transaction_id = excluded.transaction_id, position = 0,
         moved_at = clock_timestamp()`,
      [ANALYTICS_SUBSCRIBER, asOf],
    );
    await this.database.write(`UPDATE figures.present SET generation = $1, complete = true`, [generation]);
    // What they are of has been counted.
    await this.database.write(`DELETE FROM platform.parked_events WHERE subscriber = $1`, [
      ANALYTICS_SUBSCRIBER,
    ]);
  }

  /** @returns the present generation */
  private async removeOthers(): Promise<number> {
    const [row] = await this.database.query<{ generation: number }>('SELECT generation FROM figures.present');
    const { generation } = row!;
    // Two comparisons in place of `<>`, which has no use of the index: the present generation's rows are passed over.
    for (const table of ['daily', 'deposits'])
      for (let removed = STEP; removed === STEP;) {
        const rows = await this.database.query(
          `DELETE FROM figures.${table} WHERE ctid IN (SELECT ctid FROM figures.${table}
             WHERE generation < $1 OR generation > $1 LIMIT ${STEP}) RETURNING 1`,
          [generation],
        );
        removed = rows.length;
      }
    return generation;
  }
}
