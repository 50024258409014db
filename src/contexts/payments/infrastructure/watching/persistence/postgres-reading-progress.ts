import { Injectable } from '@nestjs/common';
import { Database } from '../../../../../shared/platform/database/database.js';
import {
  type NetworkDues,
  type NetworkReading,
  ReadingProgress,
} from '../../../contract/reading-progress.js';
import { isWatched } from '../../requests/persistence/reading-progress.sql.js';
import { WATCHED } from '../../requests/persistence/status-and-deadline.sql.js';

interface ReadingRow {
  network: string;
  head_number: string;
  head_time: Date;
  final_number: string | null;
  final_time: Date | null;
  disagreement: string | null;
  disagrees_since: Date | null;
  max_lag_seconds: number | null;
  is_watched: boolean;
}

interface DuesRow {
  network: string;
  open_requests: string;
  held_addresses: string;
}

@Injectable()
export class PostgresReadingProgress extends ReadingProgress {
  constructor(private readonly database: Database) {
    super();
  }

  async readings(): Promise<NetworkReading[]> {
    const rows = await this.database.query<ReadingRow>(
      `SELECT network, head_number, head_time, final_number, final_time, disagreement, disagrees_since,
         max_lag_seconds, ${isWatched('read.network')} AS is_watched
       FROM payments.chain_cursors read ORDER BY network`,
    );
    return rows.map((row) => ({
      network: row.network,
      headNumber: Number(row.head_number),
      headTime: row.head_time,
      finalNumber: row.final_number === null ? null : Number(row.final_number),
      finalTime: row.final_time,
      disagreement: row.disagreement,
      disagreesSince: row.disagrees_since,
      maxLagSeconds: row.max_lag_seconds,
      isWatched: row.is_watched,
    }));
  }

  async dues(): Promise<NetworkDues[]> {
    const rows = await this.database.query<DuesRow>(
      `WITH open AS (
         SELECT network, count(*) AS requests FROM payments.payment_requests
         WHERE status IN ${WATCHED} GROUP BY network),
       held AS (SELECT network, count(*) AS addresses FROM payments.public_settlement_holds GROUP BY network)
       SELECT network, COALESCE(open.requests, 0) AS open_requests, COALESCE(held.addresses, 0) AS held_addresses
       FROM open FULL JOIN held USING (network) ORDER BY network`,
    );
    return rows.map((row) => ({
      network: row.network,
      openRequests: Number(row.open_requests),
      heldAddresses: Number(row.held_addresses),
    }));
  }
}
