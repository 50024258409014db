import type { Reading } from './chain-expectation.js';
import type { ChainWorld } from './chain-world.js';

/** The service answers this about itself. @throws Error before it has begun to read */
export async function readingOf(world: ChainWorld): Promise<Reading> {
  const [row] = await world.service.query<{
    head_number: string;
    head_hash: string;
    final_number: string | null;
    awaiting: (string | null)[];
    balances_known: boolean;
    balances_known_to: number | null;
    expired: string[];
  }>(
    `SELECT head_number, head_hash, final_number, balances_compared_at >= head_time AS balances_known,
       extract(epoch FROM balances_compared_at)::float8 AS balances_known_to, ARRAY(SELECT transaction_hash FROM payments.transfers
       WHERE canonical AND awaits_cross_check) AS awaiting,
       ARRAY(SELECT id FROM payments.payment_requests WHERE status = 'expired') AS expired
     FROM payments.chain_cursors`,
  );
  return {
    headNumber: Number(row!.head_number),
    headHash: row!.head_hash,
    finalNumber: Number(row!.final_number ?? -1),
    expired: new Set(row!.expired),
    awaiting: new Set(row!.awaiting.flatMap((hash) => hash ?? [])),
    areBalancesKnown: row!.balances_known,
    balancesKnownTo: row!.balances_known_to,
  };
}
