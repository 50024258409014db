import type { Attempt } from '../../application/sending/sendings.js';
import type { Sending, SendingPurpose, SendingState } from '../../domain/sending/sending.js';

export interface SendingRow {
  id: string;
  network: string;
  sender: string;
  nonce: string;
  recipient: string;
  data: Buffer;
  value: string;
  gas_limit: string;
  fee_ceiling: string;
  purpose: SendingPurpose;
  state: SendingState;
  attempts: number;
  mined_hash: string | null;
  mined_block: string | null;
  mined_succeeded: boolean | null;
  response: string | null;
  created_at: Date;
}

export interface AttemptRow {
  number: number;
  hash: string;
  raw: Buffer;
  max_fee: string;
  priority_fee: string | null;
  created_at: Date;
}

export function sendingOf(row: SendingRow): Sending {
  const { id, network, sender, purpose, state, attempts, response, mined_hash: hash } = row;
  return {
    ...{ id, network, sender, purpose, state, attempts, response },
    nonce: Number(row.nonce),
    call: {
      to: row.recipient,
      data: hexOf(row.data),
      value: BigInt(row.value),
      gasLimit: BigInt(row.gas_limit),
    },
    feeCeiling: BigInt(row.fee_ceiling),
    mined:
      hash === null ? null : { hash, blockNumber: Number(row.mined_block), succeeded: row.mined_succeeded! },
    createdAt: row.created_at,
  };
}

export function attemptOf({ number, hash, raw, max_fee, priority_fee, created_at }: AttemptRow): Attempt {
  const priorityFee = priority_fee === null ? null : BigInt(priority_fee);
  return { number, hash, raw: hexOf(raw), fees: { maxFee: BigInt(max_fee), priorityFee }, at: created_at };
}

export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

export function hexOf(bytes: Buffer): string {
  return `0x${bytes.toString('hex')}`;
}
