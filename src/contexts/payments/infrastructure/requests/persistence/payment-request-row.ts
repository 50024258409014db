import { withoutNulls, type RowOf } from '../../../../../shared/platform/database/optional-columns.js';
import type { HistoryEntry, PaymentRequestFacts } from '../../../domain/requests/payment-request-facts.js';
import { PaymentRequest, type PaymentRequestSnapshot } from '../../../domain/requests/payment-request.js';
import type { Selection } from '../../../domain/requests/selection.js';
import { readTransfer, TRANSFER_JSON, type TransferJson } from './recorded-transfer-row.js';

/** A request with its address, the transfers that count and history, as one row of JSON aggregates. */
export type PaymentRequestRow = RowOf<Columns> & {
  uniqueAssetId: string | null;
  receivedAmount: string;
  reversedAmount: string;
  confirmedAt: Date | null;
  selections: SelectionJson[] | null;
  transfers: TransferJson[] | null;
  history: { status: HistoryEntry['status']; at: string }[];
};

/** The fields that a column of the same type holds. */
type Columns = PaymentRequestFacts &
  Pick<PaymentRequestSnapshot, 'status' | 'expiresAt' | 'countsUntil' | 'version'>;

type SelectionJson = Omit<Selection, 'amount' | 'selectedAt' | 'rate'> & {
  amount: string;
  selectedAt: string;
  rate: { price: string; sources: string[]; at: string } | null;
};

const DEPOSIT_ADDRESS_JSON = `jsonb_build_object('address', a.address, 'tag', a.tag, 'derivation', a.derivation,
  'settlementTermsId', a.settlement_terms_id,
  'settlementAddress', a.settlement_address, 'feeRecipient', a.fee_recipient,
  'feeBasisPoints', a.fee_basis_points)`;

/**
 * Anyone can send to an address without end, so each list of transfers is bounded:
 * 1. transfers that count, or would if a reorganisation removed those, by the payment window; none after the outcome;
 * 2. transfers that may become deposits, by this number, those that await a cross-check and final ones first. A later turn
 *    loads the rest (`RequestsToJudge.withUnbookedTransfers`).
 * Deposits decide nothing more, so they are not loaded.
 */
const DEPOSITS_AT_ONCE = 500;

/**
 * Whether the transfer `o`, which does not count, would count if the counted ones of its request `r` were lost. It becomes
 * no deposit before its request has ended. It makes the two lists disjoint, so that no row is in both.
 */
const COULD_COUNT = `r.status = 'processing' AND o.block_time <= r.counts_until
       AND (o.network, o.unique_asset_id, o.to_address, o.to_tag) IN (
         SELECT s.network, s.unique_asset_id, s.address, s.tag FROM payments.selections s WHERE s.payment_request_id = r.id)`;

/** A request that is no checkout has its one asset and address from creation. */
export const AGGREGATE_COLUMNS = `
  r.id, r.organization_id AS "organizationId", r.account_id AS "accountId", r.point_of_sale_id AS "pointOfSaleId",
  r.status, r.unique_asset_id AS "uniqueAssetId", r.received_amount AS "receivedAmount",
  r.reference_id AS "referenceId", r."order", r.created_at AS "createdAt", r.expires_at AS "expiresAt",
  r.counts_until AS "countsUntil", r.confirmed_at AS "confirmedAt", r.version,
  COALESCE(
    (SELECT jsonb_agg(jsonb_build_object('network', s.network, 'uniqueAssetId', s.unique_asset_id,
       'currency', s.currency, 'decimals', s.decimals, 'amount', s.amount::text, 'depositAddress', ${DEPOSIT_ADDRESS_JSON},
       'inclusionGraceSeconds', s.inclusion_grace_seconds, 'selectedAt', s.selected_at,
       'rate', CASE WHEN s.rate IS NOT NULL THEN
         jsonb_build_object('price', s.rate, 'sources', s.rate_sources, 'at', s.rate_at) END)
       ORDER BY s.selected_at, s.unique_asset_id)
     FROM payments.selections s JOIN payments.deposit_addresses a USING (network, address, tag)
     WHERE s.payment_request_id = r.id),
    (SELECT jsonb_agg(jsonb_build_object('network', r.network, 'uniqueAssetId', r.unique_asset_id,
       'currency', r.currency, 'decimals', r.decimals, 'amount', r.amount::text, 'depositAddress', ${DEPOSIT_ADDRESS_JSON},
       'inclusionGraceSeconds', extract(epoch FROM r.counts_until - r.expires_at)::integer,
       'selectedAt', r.created_at, 'rate', NULL))
     FROM payments.deposit_addresses a WHERE a.payment_request_id = r.id)) AS selections,
  (SELECT json_agg(${TRANSFER_JSON} ORDER BY t.block_number, t.index)
   FROM (SELECT * FROM payments.transfers WHERE payment_request_id = r.id AND counted AND r.confirmed_at IS NULL
     UNION ALL
     SELECT o.* FROM payments.transfers o
     WHERE o.payment_request_id = r.id AND o.canonical AND NOT o.counted AND o.deposited_at IS NULL AND ${COULD_COUNT}
     UNION ALL
     (SELECT o.* FROM payments.transfers o
      WHERE o.payment_request_id = r.id AND o.canonical AND NOT o.counted AND o.deposited_at IS NULL
        AND NOT (${COULD_COUNT})
      ORDER BY o.awaits_cross_check DESC, o.final DESC, o.block_number LIMIT ${DEPOSITS_AT_ONCE})) t) AS transfers,
  (SELECT COALESCE(sum(amount), 0)::text FROM payments.transfers
   WHERE payment_request_id = r.id AND reversed_at IS NOT NULL AND deposited_at IS NULL) AS "reversedAmount",
  (SELECT jsonb_agg(jsonb_build_object('status', h.status, 'at', h.at) ORDER BY h.step)
   FROM payments.status_history h WHERE h.payment_request_id = r.id) AS history`;

export function fromRow({ uniqueAssetId, confirmedAt, ...row }: PaymentRequestRow): PaymentRequest {
  const { receivedAmount, reversedAmount, selections: stored, transfers, history, ...columns } = row;
  const selections = (stored ?? []).map(readSelection);
  return PaymentRequest.restore({
    ...withoutNulls<Columns>(columns),
    selected: selections.find((selection) => selection.uniqueAssetId === uniqueAssetId) ?? null,
    selections,
    receivedAmount: BigInt(receivedAmount),
    reversedAmount: BigInt(reversedAmount),
    confirmedAt,
    transfers: (transfers ?? []).map(readTransfer),
    history: history.map(({ status, at }) => ({ status, at: new Date(at) })),
  });
}

function readSelection({ rate, depositAddress: { tag, ...address }, ...json }: SelectionJson): Selection {
  return {
    ...json,
    depositAddress: { ...address, ...(tag === '' ? {} : { tag }) },
    amount: BigInt(json.amount),
    ...(rate === null ? {} : { rate: { ...rate, at: new Date(rate.at) } }),
    selectedAt: new Date(json.selectedAt),
  };
}
