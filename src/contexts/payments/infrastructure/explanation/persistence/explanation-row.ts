import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import type {
  OfferedAsset,
  DisplayedReadProgress,
  RequestToExplain,
} from '#contexts/payments/application/explanation/explanation-view.js';

export type StoredNetworkProgress = Omit<DisplayedReadProgress, 'isBehind'>;
export type StoredRequestToExplain = Omit<RequestToExplain, 'networks'> & {
  readonly networks: readonly StoredNetworkProgress[];
};

import { readPaymentDue } from '../../requests/persistence/views/checkout-view-row.js';
import type { JsonOf } from '../../requests/persistence/views/view-json.js';
import {
  toTransferView,
  transfersSql,
  type TransferViewJson,
} from '../../requests/persistence/views/transfer-view-row.js';
import { IS_FULFILLED, PAYMENT_CUTOFF_TIME } from '../../requests/persistence/status-and-deadline.sql.js';

export interface NetworkProgressRow {
  network: string;
  headNumber: number | null;
  headTime: Date | string | null;
  finalNumber: number | null;
  finalTime: Date | string | null;
  disagreesSince: Date | string | null;
  behindSeconds: number | null;
}

type UnconvertedColumns = Omit<
  StoredRequestToExplain,
  'offered' | 'asked' | 'receivedAmount' | 'transfers' | 'networks'
>;

export type ExplanationRow = RowOf<UnconvertedColumns> & {
  uniqueAssetId: string | null;
  receivedAmount: bigint;
  offered: JsonOf<OfferedAsset>[] | null;
  transfers: TransferViewJson[] | null;
  networks: NetworkProgressRow[] | null;
};

/** All other kinds are computed from balances. */
export const KINDS_WITH_TRANSACTION = `('log', 'call', 'output')`;

/** Null if the network was never read. Block timestamps may be ahead of the clock. */
export const NETWORK_PROGRESS_COLUMNS = `c.head_number AS "headNumber", c.head_time AS "headTime", c.final_number AS "finalNumber",
  c.final_time AS "finalTime", c.disagrees_since AS "disagreesSince",
  GREATEST(0, floor(extract(epoch FROM platform.now() - c.head_time)))::bigint AS "behindSeconds"`;

/** @param first condition on transfers `t` that are always included */
export function explanationSql(first?: string): string {
  return `SELECT r.id, r.point_of_sale_id, r.reference_id, r.status, ${IS_FULFILLED} AS fulfilled, r.created_at, r.expires_at, r.confirmed_at,
    r.unique_asset_id, r.received_amount, platform.now() AS now,
    (SELECT p.name FROM point_of_sale.public_named_points_of_sale p WHERE p.id = r.point_of_sale_id) AS point_of_sale_name,
    (SELECT a.name FROM identity.public_accounts a WHERE a.id = r.account_id) AS account_name,
    COALESCE(
      (SELECT jsonb_agg(jsonb_build_object('network', s.network, 'uniqueAssetId', s.unique_asset_id,
         'currency', s.currency, 'decimals', s.decimals, 'amount', s.amount::text, 'address', s.address,
         'countsUntil', ${PAYMENT_CUTOFF_TIME})
         ORDER BY s.selected_at, s.unique_asset_id)
       FROM payments.selections s WHERE s.payment_request_id = r.id),
      (SELECT jsonb_agg(jsonb_build_object('network', r.network, 'uniqueAssetId', r.unique_asset_id,
         'currency', r.currency, 'decimals', r.decimals, 'amount', r.amount::text, 'address', a.address,
         'countsUntil', r.counts_until))
       FROM payments.deposit_addresses a WHERE a.payment_request_id = r.id)) AS offered,
    ${transfersSql(first)} AS transfers,
    (SELECT jsonb_agg(to_jsonb(n) ORDER BY n.network) FROM (SELECT a.network, ${NETWORK_PROGRESS_COLUMNS}
       FROM (SELECT DISTINCT network FROM payments.deposit_addresses WHERE payment_request_id = r.id) a
       LEFT JOIN payments.chain_cursors c USING (network)) n) AS networks
  FROM payments.payment_requests r`;
}

export function toStoredRequest(row: ExplanationRow): StoredRequestToExplain {
  const { uniqueAssetId, receivedAmount, offered: stored, transfers, networks, ...columns } = row;
  const offered = (stored ?? []).map((json) => readPaymentDue<OfferedAsset>(json, ['countsUntil']));
  return {
    ...withoutNulls<UnconvertedColumns>(columns),
    offered,
    asked: offered.find((asset) => asset.uniqueAssetId === uniqueAssetId),
    receivedAmount,
    transfers: (transfers ?? []).map((json) => toTransferView(json, row.confirmedAt !== null)),
    networks: (networks ?? []).map(toNetworkProgress),
  };
}

export function toNetworkProgress(row: NetworkProgressRow): StoredNetworkProgress {
  const { network, headNumber, headTime, finalNumber, finalTime, disagreesSince, behindSeconds } = row;
  if (headNumber === null) return { network };
  return {
    network,
    read: {
      toBlock: headNumber,
      toTime: new Date(headTime!),
      final: finalNumber === null ? undefined : { block: finalNumber, time: new Date(finalTime!) },
      disagreesSince: disagreesSince === null ? undefined : new Date(disagreesSince),
    },
    behindSeconds: behindSeconds!,
  };
}
