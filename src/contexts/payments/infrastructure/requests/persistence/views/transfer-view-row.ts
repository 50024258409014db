import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type {
  PostingKind,
  TransferFirstSeenView,
  TransferView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import { fromJson, type JsonOf } from './view-json.js';
import { IS_RECEIVED } from '../status-and-deadline.sql.js';

type BlockField = 'blockNumber' | 'blockTime';

/** The fields of its block are absent if the transfer is in no block. */
type StoredFields = Omit<TransferView, keyof TransferFirstSeenView | BlockField | 'bookedAs'> &
  Partial<Pick<TransferView, BlockField>>;

export type TransferViewJson = JsonOf<StoredFields> & { sight: JsonOf<TransferFirstSeenView> | null };

/** `received_amount` includes all counted transfers. */
const MAX_DISPLAYED_TRANSFERS = 100;

/** Must not imply another index's condition. */
const IS_NO_DUST = `t.gathered_on IS NULL AND (t.canonical OR t.reversed_at IS NOT NULL)`;

const IN_BLOCK_ORDER = 't.block_number';
/** The largest transfers come first, so that hiding a transfer costs more than the transfer. */
const KINDS_IN_DISPLAY_ORDER = [
  { kind: IS_NO_DUST, order: `${IS_RECEIVED} IS TRUE DESC, t.amount DESC` },
  { kind: IS_RECEIVED, order: IN_BLOCK_ORDER },
  { kind: '(t.deposited_at IS NOT NULL OR t.reversed_at IS NOT NULL)', order: IN_BLOCK_ORDER },
  { kind: 't.canonical AND t.deposited_at IS NULL', order: IN_BLOCK_ORDER },
];

/**
 * Each kind has an index and is read only if the kinds before it are too few, so that the cost does not grow with the
 * number of transfers.
 * @param first condition on transfers `t` that are always included
 */
export function transfersSql(first = 'false'): string {
  const kinds = [{ kind: first, order: IN_BLOCK_ORDER }, ...KINDS_IN_DISPLAY_ORDER];
  const listed = kinds.map(({ kind, order }, place) => {
    const not = kinds.slice(0, place).map((before) => `AND (${before.kind}) IS NOT TRUE`);
    return `(SELECT t.*, ${IS_RECEIVED} IS TRUE AS received FROM payments.transfers t
      WHERE t.payment_request_id = r.id AND ${kind} ${not.join(' ')}
      ORDER BY ${order} LIMIT ${MAX_DISPLAYED_TRANSFERS})`;
  });
  return `(SELECT jsonb_agg(jsonb_build_object('network', t.network, 'kind', t.kind,
     'transactionHash', t.transaction_hash, 'uniqueAssetId', t.unique_asset_id,
     'currency', t.currency, 'amount', t.amount::text,
     'decimals', t.decimals, 'from', t.from_address, 'to', t.to_address, 'blockNumber', t.block_number,
     'blockTime', t.block_time, 'confirmations', CASE WHEN NOT t.canonical THEN 0
       WHEN t.final THEN t.required_confirmations
       ELSE LEAST(COALESCE(c.head_number - t.block_number + 1, 0), t.required_confirmations) END,
     'sight', CASE WHEN t.seen_at IS NOT NULL THEN jsonb_build_object('seenAt', t.seen_at, 'arrivedAt', t.arrived_at,
       'lapsesAt', t.lapses_at, 'missingSince', t.missing_since) END,
     'requiredConfirmations', t.required_confirmations, 'final', t.final AND t.canonical, 'counted', t.received,
     'awaitsCrossCheck', t.awaits_cross_check, 'depositedAt', t.deposited_at, 'reversedAt', t.reversed_at,
     'gatheredOn', CASE WHEN NOT t.received AND (t.deposited_at IS NULL OR t.deposit_id IS NOT NULL) THEN t.gathered_on END,
     'detectedAt', t.detected_at) ORDER BY t.block_number, t.kind = 'balance', t.index)
   FROM (SELECT * FROM (${listed.join(' UNION ALL ')}) listed LIMIT ${MAX_DISPLAYED_TRANSFERS}) t
   JOIN payments.chain_cursors c USING (network))`;
}

/** @param isConfirmed true if the request is past its ledger step */
export function toTransferView({ sight, ...json }: TransferViewJson, isConfirmed: boolean): TransferView {
  const transfer = fromJson<StoredFields>(json, {
    amounts: ['amount'],
    times: ['blockTime', 'depositedAt', 'reversedAt', 'detectedAt'],
  });
  const seen =
    sight &&
    fromJson<TransferFirstSeenView>(sight, { times: ['seenAt', 'arrivedAt', 'lapsesAt', 'missingSince'] });
  return {
    ...transfer,
    ...seen,
    from: toDisplayAddress(transfer.from),
    to: toDisplayAddress(transfer.to),
    blockNumber: transfer.blockNumber ?? Infinity,
    blockTime: transfer.blockTime ?? seen!.seenAt,
    bookedAs: bookingOf(transfer, isConfirmed),
  };
}

/** Only booked transfers are reversed, and a reversed transfer no longer counts. */
function bookingOf(
  { depositedAt, reversedAt, counted }: StoredFields,
  isConfirmed: boolean,
): PostingKind | undefined {
  if (depositedAt !== undefined) return 'deposit';
  return reversedAt !== undefined || (counted && isConfirmed) ? 'payment_in' : undefined;
}
