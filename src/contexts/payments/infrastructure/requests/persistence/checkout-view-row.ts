import { addressForPeople } from '../../../../networks/contract/address-spelling.js';
import type { CheckoutView, SelectedView } from '../../../application/requests/checkout-view.js';

export interface CheckoutViewRow {
  id: string;
  organization_id: string;
  account_id: string;
  point_of_sale_id: string;
  status: CheckoutView['status'];
  token: string;
  reference_id: string | null;
  order: CheckoutView['order'] | null;
  created_at: Date;
  expires_at: Date;
  received_amount: string;
  session_id: string;
  coin_amount: string;
  coin_code: string;
  payment_options: string[];
  merchant: CheckoutView['merchant'];
  return_url: string | null;
  frame_origins: string[];
  payment_link_id: string | null;
  link_code: string | null;
  selected: SelectedJson | null;
}

interface SelectedJson {
  network: string;
  uniqueAssetId: string;
  currency: string;
  decimals: number;
  amount: string;
  address: string;
  rate: string | null;
  rateSources: string[] | null;
  rateAt: string | null;
  headNumber: number;
  transfers: SelectedView['transfers'] | null;
}

/** Of `payments.payment_requests` r joined with `payments.checkouts` c. */
export const CHECKOUT_VIEW = `
SELECT r.id, r.organization_id, r.account_id, r.point_of_sale_id, r.status, r.token, r.reference_id, r."order",
  r.created_at, r.expires_at, r.received_amount::text AS received_amount, c.session_id, c.amount AS coin_amount, c.coin_code,
  c.payment_options, c.merchant, c.return_url, c.frame_origins,
  c.payment_link_id,
  (SELECT l.code FROM payments.payment_links l WHERE l.id = c.payment_link_id) AS link_code,
  (SELECT jsonb_build_object('network', s.network, 'uniqueAssetId', s.unique_asset_id, 'currency', s.currency,
     'decimals', s.decimals, 'amount', s.amount::text, 'address', s.address, 'rate', s.rate,
     'rateSources', s.rate_sources,
     'headNumber', (SELECT h.head_number FROM payments.chain_cursors h WHERE h.network = s.network), 'rateAt', s.rate_at,
     'transfers', (SELECT jsonb_agg(jsonb_build_object('transactionHash', t.transaction_hash,
         'blockNumber', t.block_number) ORDER BY t.block_number, t.index)
       FROM payments.transfers t WHERE t.payment_request_id = r.id AND t.counted))
   FROM payments.selections s
   WHERE s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id) AS selected
FROM payments.checkouts c JOIN payments.payment_requests r ON r.id = c.payment_request_id`;

export function toCheckoutView(row: CheckoutViewRow): CheckoutView {
  return {
    id: row.id,
    organizationId: row.organization_id,
    accountId: row.account_id,
    pointOfSaleId: row.point_of_sale_id,
    type: 'fixed',
    status: row.status,
    token: row.token,
    ...(row.reference_id === null ? {} : { referenceId: row.reference_id }),
    ...(row.order === null ? {} : { order: row.order }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    sessionId: row.session_id,
    amount: row.coin_amount,
    coinCode: row.coin_code,
    paymentOptions: row.payment_options,
    merchant: row.merchant,
    ...(row.return_url === null ? {} : { returnUrl: row.return_url }),
    frameOrigins: row.frame_origins,
    ...(row.payment_link_id === null ? {} : { paymentLinkId: row.payment_link_id }),
    ...(row.link_code === null ? {} : { linkCode: row.link_code }),
    ...(row.selected === null ? {} : { selected: readSelected(row.selected, row.received_amount) }),
  };
}

function readSelected(json: SelectedJson, receivedAmount: string): SelectedView {
  const { rate, rateSources, rateAt, ...selected } = json;
  return {
    ...selected,
    amount: BigInt(json.amount),
    address: addressForPeople(json.address),
    ...(rate === null ? {} : { rate: { price: rate, sources: rateSources!, at: new Date(rateAt!) } }),
    receivedAmount: BigInt(receivedAmount),
    transfers: json.transfers ?? [],
  };
}
