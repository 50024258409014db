import type { OutboundAttempt } from '../../application/outbound/outbound-transactions.js';
import type { OutboundTransaction, OutboundState } from '../../domain/outbound/outbound-transaction.js';
import type { Database } from '#shared/platform/database/database.js';
import type { RecordedNonces } from '../../domain/outbound/nonce-gap.js';

export interface OutboundTransactionRow {
  id: string;
  network: string;
  sender: string;
  key: string;
  nonce: number;
  recipient: string;
  data: Buffer;
  value: bigint;
  gasLimit: number;
  feeCeiling: bigint;
  purpose: OutboundTransaction['purpose'];
  state: OutboundState;
  attempts: number;
  minedHash: string | null;
  minedBlock: number | null;
  minedSucceeded: boolean | null;
  gasCost: bigint | null;
  response: string | null;
  createdAt: Date;
}

export interface OutboundAttemptRow {
  number: number;
  hash: string;
  raw: Buffer;
  maxFee: bigint;
  priorityFee: bigint | null;
  headBlock: number | null;
  cancels: boolean;
  createdAt: Date;
}

export function toOutboundTransaction(row: OutboundTransactionRow): OutboundTransaction {
  const { id, network, sender, key, purpose, state, attempts, response } = row;
  return {
    id,
    network,
    sender,
    key,
    purpose,
    state,
    attempts,
    response,
    nonce: row.nonce,
    call: { to: row.recipient, data: hexOf(row.data), value: row.value, gasLimit: BigInt(row.gasLimit) },
    feeCeiling: row.feeCeiling,
    mined: minedOf(row),
    createdAt: row.createdAt,
  };
}

function minedOf({ minedHash: hash, minedBlock, minedSucceeded, gasCost }: OutboundTransactionRow) {
  if (hash === null) return null;
  return { hash, blockNumber: minedBlock!, succeeded: minedSucceeded!, gasCost };
}

export function toOutboundAttempt(row: OutboundAttemptRow): OutboundAttempt {
  const { number, hash, raw, maxFee, priorityFee, headBlock: head, cancels, createdAt: at } = row;
  return { number, hash, raw: hexOf(raw), fees: { maxFee, priorityFee }, head, cancels, at };
}

export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

export function hexOf(bytes: Buffer): string {
  return `0x${bytes.toString('hex')}`;
}

/** SQL condition for a released nonce: no transaction used it, and nothing was signed for it. */
const IS_RELEASED_SQL = `used_by IS NULL AND attempts = 0`;

export async function readRecordedNonces(
  database: Database,
  network: string,
  sender: string,
): Promise<RecordedNonces> {
  const [row] = await database.query<{
    highest: number | null;
    foreign: Record<string, string>;
    unsigned: number[];
  }>(
    // Two maxima, because each one reads only the end of a partial index on nonces.
    `SELECT greatest(
       (SELECT max(nonce) FROM networks.sendings WHERE network = $1 AND sender = $2 AND state <> 'foreign'),
       (SELECT max(nonce) FROM networks.sendings WHERE network = $1 AND sender = $2 AND state = 'foreign'
          AND NOT (${IS_RELEASED_SQL}))) AS highest,
       (SELECT COALESCE(jsonb_object_agg(f.nonce, f.used_by), '{}') FROM networks.sendings f
        WHERE f.network = $1 AND f.sender = $2 AND f.state = 'foreign' AND f.used_by IS NOT NULL
          AND NOT EXISTS (SELECT FROM networks.sendings s WHERE s.network = f.network AND s.sender = f.sender
            AND s.nonce = f.nonce AND (s.state <> 'foreign' OR s.adopted))) AS foreign,
       (SELECT COALESCE(jsonb_agg(nonce ORDER BY nonce), '[]') FROM networks.sendings
        WHERE network = $1 AND sender = $2 AND state = 'reserved') AS unsigned`,
    [network, sender],
  );
  const { highest, foreign, unsigned } = row!;
  const byNonce = Object.entries(foreign).map(([nonce, hash]): [number, string] => [Number(nonce), hash]);
  return {
    highest,
    foreign: new Map(byNonce.sort(([one], [other]) => one - other)),
    unsigned,
  };
}
