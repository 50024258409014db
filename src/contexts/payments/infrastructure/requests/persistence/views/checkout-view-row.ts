import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import type {
  CheckoutView,
  CountedTransferView,
  SelectedAssetView,
  PaymentDueView,
  UncountedSumView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import { fromJson, type JsonOf } from './view-json.js';
import { RECEIVED_TIME, IS_FULFILLED, IS_RECEIVED } from '../status-and-deadline.sql.js';

type SumsByAsset = 'otherAssets' | 'lateTransfers';

/** Times are strings if the row is part of another row's JSON. */
export type CheckoutViewRow = RowOf<
  Omit<CheckoutView, 'selected' | SumsByAsset | 'createdAt' | 'expiresAt'>
> & {
  createdAt: Date | string;
  expiresAt: Date | string;
  receivedAmount: string;
  selected: SelectedJson | null;
  otherAssets: JsonOf<UncountedSumView>[] | null;
  lateTransfers: JsonOf<UncountedSumView>[] | null;
};

export type PaymentDueJson = JsonOf<PaymentDueView>;

type SelectedColumns = Omit<SelectedAssetView, 'rate' | 'receivedAmount' | 'transfers'>;
type CountedColumns = Omit<CountedTransferView, 'blockNumber'> & { blockNumber?: number };

type SelectedJson = JsonOf<SelectedColumns> & {
  rate: string | null;
  rateSources: string[] | null;
  rateAt: string | null;
  transfers: JsonOf<CountedColumns>[] | null;
};

export const PAYMENT_DUE_JSON = `CASE WHEN r.network IS NOT NULL THEN jsonb_build_object('network', r.network,
  'uniqueAssetId', r.unique_asset_id, 'currency', r.currency, 'decimals', r.decimals, 'amount', r.amount::text,
  'address', COALESCE((SELECT s.address FROM payments.selections s
     WHERE s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id),
    (SELECT a.address FROM payments.deposit_addresses a
     WHERE a.payment_request_id = r.id AND a.unique_asset_id = r.unique_asset_id))) END`;

/**
 * Transfers below the minimum count only if all are. `IS TRUE` keeps PostgreSQL from using an index that contains
 * them.
 */
function newestTransferSql(condition: string): string {
  return `(SELECT jsonb_build_array(jsonb_build_object('transactionHash', t.transaction_hash,
       'blockNumber', t.block_number, 'arrivedAt', ${RECEIVED_TIME},
       'requiredConfirmations', t.required_confirmations))
     FROM payments.transfers t WHERE t.payment_request_id = r.id AND ${condition}
     ORDER BY t.block_number DESC, t.index DESC LIMIT 1)`;
}

const WAS_SELECTED = `EXISTS (SELECT FROM payments.selections s
  WHERE s.payment_request_id = r.id AND s.unique_asset_id = t.unique_asset_id)`;

function sumsByAssetSql(condition: string): string {
  return `(SELECT jsonb_agg(jsonb_build_object('network', o.network, 'uniqueAssetId', o.unique_asset_id,
       'currency', o.currency, 'decimals', o.decimals, 'amount', o.amount::text) ORDER BY o.unique_asset_id)
     FROM (SELECT t.network, t.unique_asset_id, t.currency, t.decimals, sum(t.amount) AS amount FROM payments.transfers t
       WHERE t.payment_request_id = r.id AND t.gathered_on IS NULL AND t.canonical IS TRUE AND ${condition}
       GROUP BY 1, 2, 3, 4) o)`;
}

export const CHECKOUT_VIEW = `
SELECT r.id, r.organization_id AS "organizationId", r.account_id AS "accountId", r.point_of_sale_id AS "pointOfSaleId",
  r.type, r.status, ${IS_FULFILLED} AS fulfilled, r.token, r.reference_id AS "referenceId", r."order", r.created_at AS "createdAt",
  r.expires_at AS "expiresAt", r.received_amount::text AS "receivedAmount", c.session_id AS "sessionId", c.amount,
  c.coin_code AS "coinCode", c.payment_options AS "paymentOptions", c.merchant, c.return_url AS "returnUrl",
  c.frame_origins AS "frameOrigins", coalesce(c.checkout_first, 'address') AS "checkoutFirst", c.payment_link_id AS "paymentLinkId",
  (SELECT l.code FROM payments.payment_links l WHERE l.id = c.payment_link_id) AS "linkCode",
  (SELECT jsonb_build_object('network', s.network, 'uniqueAssetId', s.unique_asset_id, 'currency', s.currency,
     'decimals', s.decimals, 'amount', s.amount::text, 'address', s.address, 'rate', s.rate,
     'rateSources', s.rate_sources,
     'headNumber', (SELECT h.head_number FROM payments.chain_cursors h WHERE h.network = s.network), 'rateAt', s.rate_at,
     'transfers', COALESCE(${newestTransferSql(`t.gathered_on IS NULL AND ${IS_RECEIVED} IS TRUE`)}, ${newestTransferSql(IS_RECEIVED)}))
   FROM payments.selections s
   WHERE s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id) AS selected,
  ${sumsByAssetSql(`NOT ${WAS_SELECTED}`)} AS "otherAssets",
  ${sumsByAssetSql(`t.deposited_at IS NOT NULL AND ${WAS_SELECTED}`)} AS "lateTransfers"
FROM payments.checkouts c JOIN payments.payment_requests r ON r.id = c.payment_request_id`;

export function toCheckoutView(row: CheckoutViewRow): CheckoutView {
  const { receivedAmount, selected, otherAssets, lateTransfers, createdAt, expiresAt, ...columns } = row;
  const read = (sum: JsonOf<UncountedSumView>) => fromJson<UncountedSumView>(sum, { amounts: ['amount'] });
  return {
    ...withoutNulls<Omit<CheckoutView, 'selected' | SumsByAsset | 'createdAt' | 'expiresAt'>>(columns),
    createdAt: new Date(createdAt),
    expiresAt: new Date(expiresAt),
    ...(selected && { selected: readSelected(selected, receivedAmount) }),
    ...(otherAssets && { otherAssets: otherAssets.map(read) }),
    ...(lateTransfers && { lateTransfers: lateTransfers.map(read) }),
  };
}

function readSelected(
  { rate, rateSources, rateAt, transfers, ...json }: SelectedJson,
  receivedAmount: string,
): SelectedAssetView {
  return {
    ...readPaymentDue<SelectedColumns>(json),
    ...(rate === null ? {} : { rate: { price: rate, sources: rateSources!, at: new Date(rateAt!) } }),
    receivedAmount: BigInt(receivedAmount),
    transfers: (transfers ?? []).map((transfer) => ({
      blockNumber: Infinity,
      ...fromJson<CountedColumns>(transfer, { times: ['arrivedAt'] }),
    })),
  };
}

export function readPaymentDue<View extends PaymentDueView = PaymentDueView>(
  json: JsonOf<View>,
  times: readonly (keyof View)[] = [],
): View {
  const view = fromJson<View>(json, { amounts: ['amount'], times });
  return { ...view, address: toDisplayAddress(view.address) };
}
