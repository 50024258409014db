import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { type NetworkDues, NetworkDuesQuery } from '../../contract/network-dues.js';
import { WATCHED } from '../requests/persistence/status-and-deadline.sql.js';

@Injectable()
export class PostgresNetworkDues extends NetworkDuesQuery {
  constructor(private readonly database: Database) {
    super();
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
