import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { type NetworkReading, ReadingProgress } from '../../contract/reading-progress.js';
import { isWatched } from '../../contract/reading-progress.sql.js';

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
}
