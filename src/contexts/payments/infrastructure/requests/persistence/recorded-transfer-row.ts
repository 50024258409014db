import type { RecordedTransfer } from '#contexts/payments/domain/requests/transfer.js';

/** A transfer as PostgreSQL's JSON has it; numbers beyond 2^53 are strings. */
export type TransferJson = Omit<RecordedTransfer, 'amount' | 'blockTime' | 'depositedAt' | 'reversedAt'> & {
  amount: string;
  blockTime: string;
  depositedAt: string | null;
  reversedAt: string | null;
};

/**
 * The row `t` of `payments.transfers` as `TransferJson`. `json`, because `jsonb` takes twice as long for an address that
 * received tens of thousands of transfers.
 */
export const TRANSFER_JSON = transferJson('t.amount');

/** @param amount an SQL expression */
export function transferJson(amount: string): string {
  return `json_build_object('id', t.id, 'network', t.network, 'kind', t.kind, 'transactionHash', t.transaction_hash,
  'index', t.index, 'blockNumber', t.block_number, 'blockHash', t.block_hash, 'blockTime', t.block_time,
  'uniqueAssetId', t.unique_asset_id,
  'currency', t.currency, 'from', t.from_address, 'to', t.to_address, 'toTag', t.to_tag, 'amount', (${amount})::text,
  'decimals', t.decimals, 'requiredConfirmations', t.required_confirmations, 'counted', t.counted,
  'awaitsCrossCheck', t.awaits_cross_check, 'gatheredOn', t.gathered_on,
  'depositedAt', t.deposited_at, 'depositId', t.deposit_id, 'reversedAt', t.reversed_at)`;
}

export function readTransfer(json: TransferJson): RecordedTransfer {
  const { toTag, ...transfer } = json;
  return {
    ...transfer,
    ...(toTag === '' ? {} : { toTag }),
    amount: BigInt(json.amount),
    blockTime: new Date(json.blockTime),
    depositedAt: readTime(json.depositedAt),
    reversedAt: readTime(json.reversedAt),
  };
}

function readTime(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}
