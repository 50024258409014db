import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import type {
  StatusHistoryEntry,
  PaymentRequestFacts,
} from '#contexts/payments/domain/requests/payment-request-facts.js';
import {
  PaymentRequest,
  type PaymentRequestSnapshot,
} from '#contexts/payments/domain/requests/payment-request.js';
import type { AddressNumber } from '#contexts/payments/domain/requests/address-numbers.js';
import type { DepositAddress, Selection } from '#contexts/payments/domain/requests/selection.js';
import type { ReceivedSum } from '#contexts/payments/domain/requests/outcome/received-sums.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import {
  readTransfer,
  transferJsonSql,
  TRANSFER_JSON,
  type TransferJson,
  isAggregationDayOverSql,
  isToBeDepositedSql,
} from './recorded-transfer-row.js';
import { WATCHED_STATUSES_SQL } from './status-and-deadline.sql.js';

export type PaymentRequestRow = RowOf<UnconvertedColumns> & {
  uniqueAssetId: string | null;
  confirmedAt: Date | null;
  outcomeBlock: number | null;
  sums: SumJson[] | null;
  lowestNonFinalBlocks: Record<string, number | null> | null;
  finalTransfers: TransferJson[] | null;
  selections: SelectionJson[] | null;
  transfers: TransferJson[] | null;
  history: { status: StatusHistoryEntry['status']; at: string }[];
};

type UnconvertedColumns = PaymentRequestFacts &
  Pick<
    PaymentRequestSnapshot,
    | 'status'
    | 'receivedAmount'
    | 'reversedAmount'
    | 'expiresAt'
    | 'countsUntil'
    | 'underpaymentAccepted'
    | 'uncounting'
    | 'version'
  >;

type SumJson = Omit<ReceivedSum, 'seen' | 'final'> & { seen: string; final: string };

type SelectionJson = Omit<
  Selection,
  'amount' | 'minimumAmount' | 'selectedAt' | 'rate' | 'depositAddress'
> & {
  depositAddress: Omit<DepositAddress, keyof AddressNumber | 'isDelivered'> & {
    numberingId: number | null;
    number: number | null;
    isDelivered: boolean;
  };
  amount: string;
  minimumAmount: string;
  selectedAt: string;
  rate: { price: string; sources: string[]; at: string } | null;
};

const DEPOSIT_ADDRESS_JSON = `jsonb_build_object('address', a.address, 'tag', a.tag, 'derivation', a.derivation,
  'settlementTermsId', a.settlement_terms_id, 'settlementAddress', a.settlement_address,
  'feeRecipient', a.fee_recipient, 'feeBasisPoints', a.fee_basis_points, 'numberingId', a.numbering_id,
  'number', a.number, 'isDelivered', a.delivered)`;

/** Anyone can send any number of deposits. Later watcher cycles book the remaining ones. */
const DEPOSITS_AT_ONCE = 500;
const AGGREGATED_AT_ONCE = 2_000;

const FIRST_BLOCK_NOT_FINAL = `(SELECT min(t.block_number) FROM payments.transfers t
    WHERE t.payment_request_id = r.id AND t.network = s.network AND t.counted AND NOT t.final)`;

/** Includes the last transfer in the sum. Merges each block's transfers, which may be many. */
const UNSUMMED_FINAL_TRANSFERS = `(SELECT json_agg(${transferJsonSql('t.in_block')})
   FROM payments.received_sums s CROSS JOIN LATERAL (
     SELECT DISTINCT ON (t.block_number) t.*, sum(t.amount) OVER (PARTITION BY t.block_number) AS in_block
     FROM payments.transfers t
     WHERE t.payment_request_id = s.payment_request_id AND t.unique_asset_id = s.unique_asset_id AND t.counted
       AND t.block_number >= COALESCE((SELECT max(l.block_number) FROM payments.transfers l
         WHERE l.payment_request_id = s.payment_request_id AND l.unique_asset_id = s.unique_asset_id AND l.counted
           AND l.block_number <= s.final_to), s.final_to)
       AND (t.block_number < ${FIRST_BLOCK_NOT_FINAL}) IS NOT FALSE
     ORDER BY t.block_number, t.kind = 'balance' DESC, t.index DESC) t
   WHERE s.payment_request_id = r.id AND r.status IN ${WATCHED_STATUSES_SQL})`;

export const REVERSED_AMOUNT = `(SELECT COALESCE(sum(amount), 0) FROM payments.transfers
   WHERE payment_request_id = r.id AND reversed_at IS NOT NULL AND deposited_at IS NULL)`;

/** Without a checkout, the only asset and address of a request have no row in `payments.selections`. */
export const PAYMENT_REQUEST_COLUMNS = `
  r.id, r.organization_id, r.account_id, r.point_of_sale_id, r.status, r.unique_asset_id, r.received_amount, r.reference_id,
  r."order", r.created_at, r.expires_at, r.counts_until, r.confirmed_at, r.version, r.outcome_block, r.uncounting,
  r.underpayment_tolerance, r.underpayment_accepted,
  COALESCE(
    (SELECT jsonb_agg(jsonb_build_object('network', s.network, 'uniqueAssetId', s.unique_asset_id,
       'currency', s.currency, 'decimals', s.decimals, 'amount', s.amount::text,
       'minimumAmount', s.minimum_amount::text, 'depositAddress', ${DEPOSIT_ADDRESS_JSON},
       'inclusionGraceSeconds', s.inclusion_grace_seconds, 'selectedAt', s.selected_at,
       'rate', CASE WHEN s.rate IS NOT NULL THEN
         jsonb_build_object('price', s.rate, 'sources', s.rate_sources, 'at', s.rate_at) END)
       ORDER BY s.selected_at, s.unique_asset_id)
     FROM payments.selections s JOIN payments.deposit_addresses a USING (network, address, tag)
     WHERE s.payment_request_id = r.id),
    (SELECT jsonb_agg(jsonb_build_object('network', r.network, 'uniqueAssetId', r.unique_asset_id,
       'currency', r.currency, 'decimals', r.decimals, 'amount', r.amount::text,
       'minimumAmount', COALESCE(r.minimum_amount, 1)::text, 'depositAddress', ${DEPOSIT_ADDRESS_JSON},
       'inclusionGraceSeconds', extract(epoch FROM r.counts_until - r.expires_at)::integer,
       'selectedAt', r.created_at, 'rate', NULL))
     FROM payments.deposit_addresses a WHERE a.payment_request_id = r.id)) AS selections,
  (SELECT jsonb_agg(jsonb_build_object('uniqueAssetId', s.unique_asset_id, 'network', s.network,
     'seen', s.seen_amount::text, 'final', s.final_amount::text, 'finalTo', s.final_to))
   FROM payments.received_sums s WHERE s.payment_request_id = r.id) AS sums,
  (SELECT jsonb_object_agg(s.network, ${FIRST_BLOCK_NOT_FINAL})
   FROM payments.received_sums s WHERE s.payment_request_id = r.id AND r.status IN ${WATCHED_STATUSES_SQL}) AS lowest_non_final_blocks,
  ${UNSUMMED_FINAL_TRANSFERS} AS final_transfers,
  (SELECT json_agg(${TRANSFER_JSON} ORDER BY t.block_number, t.index)
   FROM (
     (SELECT * FROM payments.transfers o WHERE ${isToBeDepositedSql('o')} AND o.gathered_on IS NULL
      ORDER BY o.network, o.unique_asset_id, o.block_number LIMIT ${DEPOSITS_AT_ONCE})
     UNION ALL
     (SELECT * FROM payments.transfers o WHERE ${isToBeDepositedSql('o')} AND ${isAggregationDayOverSql('o')}
      ORDER BY o.gathered_on, o.network, o.unique_asset_id, o.block_number LIMIT ${AGGREGATED_AT_ONCE})) t) AS transfers,
  ${REVERSED_AMOUNT} AS reversed_amount,
  (SELECT jsonb_agg(jsonb_build_object('status', h.status, 'at', h.at) ORDER BY h.step)
   FROM payments.status_history h WHERE h.payment_request_id = r.id) AS history`;

export function toPaymentRequest(row: PaymentRequestRow): PaymentRequest {
  const { uniqueAssetId, confirmedAt, outcomeBlock, selections: stored, transfers, history, ...rest } = row;
  const { sums, lowestNonFinalBlocks, finalTransfers, ...columns } = rest;
  const selections = (stored ?? []).map(toSelection);
  return PaymentRequest.restore({
    ...withoutNulls<UnconvertedColumns>(columns),
    selected: selections.find((selection) => selection.uniqueAssetId === uniqueAssetId) ?? null,
    selections,
    confirmedAt,
    outcomeBlock,
    sums: (sums ?? []).map((sum) => ({ ...sum, seen: BigInt(sum.seen), final: BigInt(sum.final) })),
    lowestNonFinalBlocks: new Map(
      Object.entries(lowestNonFinalBlocks ?? {}).flatMap(([network, block]) =>
        block === null ? [] : [[network, block]],
      ),
    ),
    finalTransfers: (finalTransfers ?? []).map(readTransfer),
    transfers: (transfers ?? []).map(readTransfer),
    history: history.map(({ status, at }) => ({ status, at: new Date(at) })),
  });
}

function toSelection({ rate, depositAddress, ...json }: SelectionJson): Selection {
  const { tag, numberingId, number, isDelivered, ...address } = depositAddress;
  return {
    ...json,
    depositAddress: {
      ...address,
      ...(tag === '' ? {} : { tag }),
      ...(numberingId === null || number === null ? {} : { numberingId, number }),
      ...(isDelivered && { isDelivered }),
    },
    amount: BigInt(json.amount),
    minimumAmount: BigInt(json.minimumAmount),
    ...(rate === null ? {} : { rate: { ...rate, at: new Date(rate.at) } }),
    selectedAt: new Date(json.selectedAt),
  };
}

/**
 * Locks by ascending id. Recomputes the sums of parked requests, whose transfers are recorded without updating them.
 */
export async function lockRequests(
  database: Database,
  condition: string,
  values: readonly unknown[],
): Promise<PaymentRequestId[]> {
  const rows = await database.queryInTransaction<{ id: PaymentRequestId; behind: boolean }>(
    `SELECT id, status IN ${WATCHED_STATUSES_SQL} AND sums_at_version <> version AS behind
     FROM payments.payment_requests WHERE ${condition} ORDER BY id FOR UPDATE`,
    [...values],
  );
  const behind = rows.flatMap((row) => (row.behind ? row.id : []));
  if (behind.length > 0) await database.queryInTransaction('SELECT payments.add_up_transfers($1)', [behind]);
  return rows.map(({ id }) => id);
}
