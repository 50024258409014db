import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { KnownDepositAddresses } from '#contexts/point-of-sale/contract/points-of-sale.js';

@Injectable()
export class PostgresKnownDepositAddresses extends KnownDepositAddresses {
  constructor(private readonly database: Database) {
    super();
  }

  async has(address: string): Promise<boolean> {
    // By network, as the addresses are indexed; a network is read from before it has an address.
    const found = await this.database.query(
      `SELECT FROM payments.chain_cursors c
       WHERE EXISTS (SELECT FROM payments.known_addresses a WHERE a.network = c.network AND a.address = $1)`,
      [address],
    );
    return found.length > 0;
  }
}
