import type { Attempt } from '../../application/sending/sendings.js';
import type { Sending, SendingState } from '../../domain/sending/sending.js';

export interface SendingRow {
  id: string;
  network: string;
  sender: string;
  key: string | null;
  nonce: string;
  recipient: string;
  data: Buffer;
  value: string;
  gas_limit: string;
  fee_ceiling: string;
  purpose: Sending['purpose'];
  state: SendingState;
  attempts: number;
  mined_hash: string | null;
  mined_block: string | null;
  mined_succeeded: boolean | null;
  gas_cost: string | null;
  response: string | null;
  created_at: Date;
}

export interface AttemptRow {
  number: number;
  hash: string;
  raw: Buffer;
  max_fee: string;
  priority_fee: string | null;
  head_block: string | null;
  cancels: boolean;
  created_at: Date;
}

export function sendingOf(row: SendingRow): Sending {
  const { id, network, sender, key, purpose, state, attempts, response } = row;
  return {
    ...{ id, network, sender, key, purpose, state, attempts, response },
    nonce: Number(row.nonce),
    call: {
      to: row.recipient,
      data: hexOf(row.data),
      value: BigInt(row.value),
      gasLimit: BigInt(row.gas_limit),
    },
    feeCeiling: BigInt(row.fee_ceiling),
    mined: minedOf(row),
    createdAt: row.created_at,
  };
}

function minedOf({ mined_hash: hash, mined_block, mined_succeeded, gas_cost }: SendingRow) {
  if (hash === null) return null;
  const gasCost = gas_cost === null ? null : BigInt(gas_cost);
  return { hash, blockNumber: Number(mined_block), succeeded: mined_succeeded!, gasCost };
}

export function attemptOf(row: AttemptRow): Attempt {
  const { number, hash, raw, max_fee, priority_fee, head_block, cancels, created_at: at } = row;
  const priorityFee = priority_fee === null ? null : BigInt(priority_fee);
  const fees = { maxFee: BigInt(max_fee), priorityFee };
  const head = head_block === null ? null : Number(head_block);
  return { number, hash, raw: hexOf(raw), fees, head, cancels, at };
}

export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}

export function hexOf(bytes: Buffer): string {
  return `0x${bytes.toString('hex')}`;
}
