import type { Attempt } from '../../application/sending/sendings.js';
import type { Sending, SendingState } from '../../domain/sending/sending.js';

export interface SendingRow {
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
  purpose: Sending['purpose'];
  state: SendingState;
  attempts: number;
  minedHash: string | null;
  minedBlock: number | null;
  minedSucceeded: boolean | null;
  gasCost: bigint | null;
  response: string | null;
  createdAt: Date;
}

export interface AttemptRow {
  number: number;
  hash: string;
  raw: Buffer;
  maxFee: bigint;
  priorityFee: bigint | null;
  headBlock: number | null;
  cancels: boolean;
  createdAt: Date;
}

export function sendingOf(row: SendingRow): Sending {
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

function minedOf({ minedHash: hash, minedBlock, minedSucceeded, gasCost }: SendingRow) {
  if (hash === null) return null;
  return { hash, blockNumber: minedBlock!, succeeded: minedSucceeded!, gasCost };
}

export function attemptOf(row: AttemptRow): Attempt {
  const { number, hash, raw, maxFee, priorityFee, headBlock: head, cancels, createdAt: at } = row;
  return { number, hash, raw: hexOf(raw), fees: { maxFee, priorityFee }, head, cancels, at };
}

export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

export function hexOf(bytes: Buffer): string {
  return `0x${bytes.toString('hex')}`;
}
