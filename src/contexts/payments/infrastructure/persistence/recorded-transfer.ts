import type { RecordedTransfer } from '../../domain/transfer.js';

/** A transfer as PostgreSQL's JSON has it; numbers beyond 2^53 are strings. */
export type TransferJson = Omit<RecordedTransfer, 'amount' | 'blockTime'> & {
  amount: string;
  blockTime: string;
};

/** The row `t` of `payments.transfers` as `TransferJson`. */
export const TRANSFER_JSON = `jsonb_build_object('id', t.id, 'network', t.network, 'kind', t.kind, 'transactionHash', t.transaction_hash,
  'index', t.index, 'blockNumber', t.block_number, 'blockHash', t.block_hash, 'blockTime', t.block_time,
  'uniqueAssetId', t.unique_asset_id, 'from', t.from_address, 'to', t.to_address, 'amount', t.amount::text,
  'decimals', t.decimals, 'requiredConfirmations', t.required_confirmations, 'counted', t.counted)`;

export function readTransfer(json: TransferJson): RecordedTransfer {
  return { ...json, amount: BigInt(json.amount), blockTime: new Date(json.blockTime) };
}
