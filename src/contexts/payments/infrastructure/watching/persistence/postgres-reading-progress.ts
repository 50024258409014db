import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import {
  type NetworkDues,
  type NetworkReading,
  ReadingProgress,
} from '#contexts/payments/contract/reading-progress.js';
import { isWatched } from '../../requests/persistence/reading-progress.sql.js';
import { WATCHED } from '../../requests/persistence/status-and-deadline.sql.js';

/** Block numbers are `bigint`. */
type ReadingRow = Omit<NetworkReading, 'headNumber' | 'finalNumber'> & {
  headNumber: string;
  finalNumber: string | null;
};

@Injectable()
export class PostgresReadingProgress extends ReadingProgress {
  constructor(private readonly database: Database) {
    super();
  }

  async readings(): Promise<NetworkReading[]> {
    const rows = await this.database.query<ReadingRow>(
      `SELECT network, head_number AS "headNumber", head_time AS "headTime", final_number AS "finalNumber",
         final_time AS "finalTime", disagreement, disagrees_since AS "disagreesSince",
         max_lag_seconds AS "maxLagSeconds", ${isWatched('read.network')} AS "isWatched"
       FROM payments.chain_cursors read ORDER BY network`,
    );
    return rows.map((row) => ({
      ...row,
      headNumber: Number(row.headNumber),
      finalNumber: row.finalNumber === null ? null : Number(row.finalNumber),
    }));
  }

  dues(): Promise<NetworkDues[]> {
    return this.database.query<NetworkDues>(
      `WITH open AS (
         SELECT network, count(*)::integer AS requests FROM payments.payment_requests
         WHERE status IN ${WATCHED} GROUP BY network),
       held AS (
         SELECT network, count(*)::integer AS addresses FROM payments.public_settlement_holds GROUP BY network)
       SELECT network, COALESCE(open.requests, 0) AS "openRequests", COALESCE(held.addresses, 0) AS "heldAddresses"
       FROM open FULL JOIN held USING (network) ORDER BY network`,
    );
  }
}
