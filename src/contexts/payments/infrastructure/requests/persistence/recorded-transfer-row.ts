import type { FinalityTag } from '#shared/kernel/asset.js';
import type { FirstSeen, RecordedTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { progressWatermarkExpression } from '#contexts/chain-watching/contract/reading-progress.js';

/** Numbers beyond 2^53 are strings. */
export type TransferJson = Omit<
  RecordedTransfer,
  'amount' | 'depositedAt' | 'reversedAt' | 'arrivedAt' | 'sight' | BlockField
> & {
  amount: string;
  /** Null if the transfer is in no block. */
  blockNumber: number | null;
  blockHash: string | null;
  blockTime: string | null;
  sight: SightJson | null;
  requiredTag: FinalityTag | null;
  depositedAt: string | null;
  reversedAt: string | null;
};

type BlockField = 'blockNumber' | 'blockHash' | 'blockTime';

type SightJson = Pick<FirstSeen, 'evidence'> & { arrivedAt: string; seenAt: string; lapsesAt: string };

/** Arguments are SQL expressions; `safe` and `finalized` are the numbers of the newest blocks with these tags. */
export function hasRequiredFinalityTagSql(
  { tag, block }: { readonly tag: string; readonly block: string },
  { safe, finalized }: Readonly<Record<FinalityTag, string>>,
): string {
  return `(${tag} IS NULL OR ${block} <= CASE ${tag} WHEN 'safe' THEN ${safe} ELSE ${finalized} END)`;
}

/** `isFinal` of the domain, for the transfer `t` and the cursor `c`. Null before any block is final. */
export const IS_FINAL = `(t.block_number + t.extra_confirmations <= c.final_number AND ${hasRequiredFinalityTagSql(
  { tag: 't.required_tag', block: 't.block_number' },
  { safe: 'c.safe_number', finalized: 'c.finalized_number' },
)})`;

/** Not `jsonb`, which takes twice as long for tens of thousands of transfers. */
export const TRANSFER_JSON = transferJsonSql('t.amount');

export function transferJsonSql(amount: string): string {
  return `json_build_object('id', t.id, 'network', t.network, 'kind', t.kind, 'transactionHash', t.transaction_hash,
  'index', t.index, 'blockNumber', t.block_number, 'blockHash', t.block_hash, 'blockTime', t.block_time,
  'uniqueAssetId', t.unique_asset_id,
  'currency', t.currency, 'from', t.from_address, 'to', t.to_address, 'toTag', t.to_tag, 'amount', (${amount})::text,
  'decimals', t.decimals, 'requiredConfirmations', t.required_confirmations, 'counted', t.counted,
  'extraConfirmations', t.extra_confirmations, 'requiredTag', t.required_tag, 'sight', CASE WHEN t.seen_at IS NOT NULL THEN json_build_object(
    'arrivedAt', t.arrived_at, 'seenAt', t.seen_at, 'lapsesAt', t.lapses_at, 'evidence', t.evidence) END,
  'awaitsCrossCheck', t.awaits_cross_check, 'gatheredOn', t.gathered_on,
  'depositedAt', t.deposited_at, 'depositId', t.deposit_id, 'reversedAt', t.reversed_at)`;
}

export function readTransfer(json: TransferJson): RecordedTransfer {
  const { toTag, sight, ...transfer } = json;
  return {
    ...transfer,
    ...(toTag === '' ? {} : { toTag }),
    ...readSight(sight),
    amount: BigInt(json.amount),
    blockNumber: json.blockNumber ?? Infinity,
    blockHash: json.blockHash ?? '',
    blockTime: new Date(json.blockTime ?? sight!.seenAt),
    depositedAt: readTime(json.depositedAt),
    reversedAt: readTime(json.reversedAt),
  };
}

function readSight(json: SightJson | null): Pick<RecordedTransfer, 'arrivedAt' | 'sight'> {
  if (json === null) return {};
  const { arrivedAt, seenAt, lapsesAt, evidence } = json;
  const sight = { seenAt: new Date(seenAt), lapsesAt: new Date(lapsesAt), evidence };
  return { arrivedAt: new Date(arrivedAt), sight };
}

function readTime(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}

export function isToBeDepositedSql(t: string): string {
  return `${t}.payment_request_id = r.id AND ${t}.canonical AND ${t}.final AND NOT ${t}.counted AND ${t}.deposited_at IS NULL`;
}

/** All earlier days are final. */
const FIRST_DAY_NOT_FINAL = `(${progressWatermarkExpression('c.final_time')} AT TIME ZONE 'UTC')::date`;

/** The first condition lets the index scan stop before the transfers that still wait. */
export function isAggregationDayOverSql(t: string): string {
  return `${t}.gathered_on < (SELECT max(${FIRST_DAY_NOT_FINAL}) FROM payments.chain_cursors c)
    AND ${t}.gathered_on < (SELECT ${FIRST_DAY_NOT_FINAL} FROM payments.chain_cursors c WHERE c.network = ${t}.network)`;
}
