import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import {
  type NetworkDues,
  type NetworkReading,
  ReadingProgress,
} from '#contexts/payments/contract/reading-progress.js';
import { isWatched } from '../../requests/persistence/reading-progress.sql.js';
import { WATCHED } from '../../requests/persistence/status-and-deadline.sql.js';

@Injectable()
export class PostgresReadingProgress extends ReadingProgress {
  constructor(private readonly database: Database) {
    super();
  }

  async readings(): Promise<NetworkReading[]> {
    return this.database.query<NetworkReading>(
      `SELECT network, head_number, head_time, final_number, final_time, disagreement, disagrees_since,
         pending_read_at, max_lag_seconds,
         ${isWatched('read.network')} AS is_watched
       FROM payments.chain_cursors read ORDER BY network`,
    );
  }

  dues(): Promise<NetworkDues[]> {
    return this.database.query<NetworkDues>(
      `WITH open AS (
         SELECT network, count(*)::integer AS requests FROM payments.payment_requests
         WHERE status IN ${WATCHED} GROUP BY network),
       held AS (
         SELECT network, count(*)::integer AS addresses FROM payments.public_settlement_holds GROUP BY network)
       SELECT network, COALESCE(open.requests, 0) AS open_requests, COALESCE(held.addresses, 0) AS held_addresses
       FROM open FULL JOIN held USING (network) ORDER BY network`,
    );
  }
}
