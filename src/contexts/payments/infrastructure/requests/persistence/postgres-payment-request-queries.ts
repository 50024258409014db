import { Injectable } from '@nestjs/common';
import { addressForPeople } from '../../../../networks/contract/address-spelling.js';
import { notFound } from '../../../../../shared/kernel/domain-error.js';
import type { PaymentRequestId, PointOfSaleId } from '../../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../../shared/kernel/scope.js';
import { Database } from '../../../../../shared/platform/database/database.js';
import { PaymentRequestQueries } from '../../../application/requests/payment-request-queries.js';
import type { CheckoutView } from '../../../application/requests/checkout-view.js';
import type { AskedView } from '../../../application/requests/payment-request-facts-view.js';
import type { PaymentRequestProgressView } from '../../../application/requests/payment-request-view.js';
import type { PaymentRequestStatus } from '../../../contract/payment-request-events.js';
import type { HistoryStatus } from '../../../domain/requests/status.js';
import { CHECKOUT_VIEW, toCheckoutView, type CheckoutViewRow } from './checkout-view-row.js';
import { readTransferView, transfersOf, type TransferViewJson } from './transfer-view-row.js';

interface Row {
  organization_id: string;
  account_id: string;
  status: PaymentRequestStatus;
  network: string | null;
  unique_asset_id: string;
  currency: string;
  decimals: number;
  amount: string;
  received_amount: string;
  reference_id: string | null;
  order: PaymentRequestProgressView['order'] | null;
  token: string;
  created_at: Date;
  expires_at: Date;
  confirmed_at: Date | null;
  address: string | null;
  checkout: CheckoutJson | null;
  transfers: TransferViewJson[] | null;
  history: { status: HistoryStatus; at: string }[];
}

/** The row in JSON, where times are text. */
type CheckoutJson = Omit<CheckoutViewRow, 'created_at' | 'expires_at'> & {
  created_at: string;
  expires_at: string;
};

@Injectable()
export class PostgresPaymentRequestQueries extends PaymentRequestQueries {
  constructor(private readonly database: Database) {
    super();
  }

  async find(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: PaymentRequestId,
  ): Promise<PaymentRequestProgressView> {
    const [row] = await this.database.query<Row>(
      `SELECT r.organization_id, r.account_id, r.status, r.network, r.unique_asset_id, r.currency, r.decimals, r.amount,
              r.received_amount, r.reference_id, r."order", r.token, r.created_at, r.expires_at, r.confirmed_at,
         COALESCE((SELECT s.address FROM payments.selections s
            WHERE s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id),
           (SELECT a.address FROM payments.deposit_addresses a
            WHERE a.payment_request_id = r.id AND a.unique_asset_id = r.unique_asset_id)) AS address,
         (SELECT to_jsonb(v) FROM (${CHECKOUT_VIEW} WHERE c.payment_request_id = $1) v) AS checkout,
         ${transfersOf()} AS transfers,
         (SELECT jsonb_agg(jsonb_build_object('status', h.status, 'at', h.at) ORDER BY h.step)
          FROM payments.status_history h WHERE h.payment_request_id = r.id) AS history
       FROM payments.payment_requests r
       WHERE r.id = $1 AND r.point_of_sale_id = $2 AND r.organization_id = $3
         AND ($4::uuid IS NULL OR r.account_id = $4)`,
      [id, pointOfSale, scope.organizationId, scope.accountId],
    );
    if (row === undefined) throw notFound('payment request');
    return toView(row, id, pointOfSale);
  }
}

function toView(row: Row, id: string, pointOfSaleId: string): PaymentRequestProgressView {
  return {
    id,
    pointOfSaleId,
    organizationId: row.organization_id,
    accountId: row.account_id,
    type: 'fixed',
    status: row.status,
    ...(row.network === null ? {} : { asked: toAsked(row, row.network) }),
    ...(row.checkout === null ? {} : { checkout: readCheckout(row.checkout) }),
    receivedAmount: BigInt(row.received_amount),
    ...(row.reference_id === null ? {} : { referenceId: row.reference_id }),
    ...(row.order === null ? {} : { order: row.order }),
    token: row.token,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...(row.confirmed_at === null ? {} : { confirmedAt: row.confirmed_at }),
    transfers: (row.transfers ?? []).map((transfer) => readTransferView(transfer, row.confirmed_at !== null)),
    history: row.history.map((entry) => ({ status: entry.status, at: new Date(entry.at) })),
  };
}

function toAsked(row: Row, network: string): AskedView {
  return {
    network,
    uniqueAssetId: row.unique_asset_id,
    currency: row.currency,
    decimals: row.decimals,
    amount: BigInt(row.amount),
    address: addressForPeople(row.address!),
  };
}

function readCheckout(json: CheckoutJson): CheckoutView {
  const { created_at, expires_at } = json;
  return toCheckoutView({ ...json, created_at: new Date(created_at), expires_at: new Date(expires_at) });
}
