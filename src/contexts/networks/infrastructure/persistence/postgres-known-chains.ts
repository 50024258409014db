import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { KnownChains, type ChainIdentity, type KnownChain } from '../../domain/wrong-chain.js';

@Injectable()
export class PostgresKnownChains extends KnownChains {
  constructor(private readonly database: Database) {
    super();
  }

  async remember(network: string, { chainId, genesisHash }: ChainIdentity): Promise<KnownChain> {
    // If a concurrent process is inserting the same row, this statement waits, and the query below then finds the row.
    await this.database.query(
      `INSERT INTO networks.known_chains (network, chain_id, genesis_hash) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING`,
      [network, chainId, genesisHash],
    );
    const stored = await this.find(network, { chainId, genesisHash });
    if (stored === null)
      throw new Error(`Network ${network} could not be stored, and is not in the database.`);
    return stored;
  }

  async find(network: string, { chainId, genesisHash }: ChainIdentity): Promise<KnownChain | null> {
    const [row] = await this.database.query<{ network: string; chainId: number; genesisHash: string }>(
      `SELECT network, chain_id, genesis_hash FROM networks.known_chains
       WHERE network = $1 OR (chain_id = $2 AND genesis_hash = $3)
       ORDER BY network = $1 DESC LIMIT 1`,
      [network, chainId, genesisHash],
    );
    return row ?? null;
  }
}
