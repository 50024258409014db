import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import type {
  PaymentRequestDetailView,
  PaymentRequestProgressView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import { SettlementAndRefundRecords } from '#contexts/payments/contract/settlement-and-refund-records.js';
import type { StatusHistoryEntry } from '#contexts/payments/domain/requests/payment-request-facts.js';
import {
  PAYMENT_DUE_JSON,
  CHECKOUT_VIEW,
  readPaymentDue,
  toCheckoutView,
  type PaymentDueJson,
  type CheckoutViewRow,
} from './checkout-view-row.js';
import { IS_FULFILLED } from '../status-and-deadline.sql.js';
import { fromJson, type JsonOf } from './view-json.js';
import { toTransferView, transfersSql, type TransferViewJson } from './transfer-view-row.js';

type UnconvertedColumns = Omit<PaymentRequestProgressView, 'asked' | 'checkout' | 'transfers' | 'history'>;

type Row = RowOf<UnconvertedColumns> & {
  asked: PaymentDueJson | null;
  checkout: CheckoutViewRow | null;
  transfers: TransferViewJson[] | null;
  history: JsonOf<StatusHistoryEntry>[];
};

/** Parameters: $1 request, $2 point of sale, $3 organization, $4 account or null. */
export const SELECT_PAYMENT_REQUEST = `SELECT r.id, r.organization_id, r.account_id, r.point_of_sale_id, r.type, r.status, ${IS_FULFILLED} AS fulfilled,
         r.received_amount, r.reference_id, r."order", r.token, r.created_at, r.expires_at, r.confirmed_at,
         (SELECT p.code FROM payments.receipts p WHERE p.payment_request_id = r.id) AS receipt_code,
         ${PAYMENT_DUE_JSON} AS asked,
         (SELECT to_jsonb(v) FROM (${CHECKOUT_VIEW} WHERE c.payment_request_id = $1) v) AS checkout,
         ${transfersSql()} AS transfers,
         (SELECT jsonb_agg(jsonb_build_object('status', h.status, 'at', h.at) ORDER BY h.step)
          FROM payments.status_history h WHERE h.payment_request_id = r.id) AS history
       FROM payments.payment_requests r
       WHERE r.id = $1 AND r.point_of_sale_id = $2 AND r.organization_id = $3
         AND ($4::uuid IS NULL OR r.account_id = $4)`;

@Injectable()
export class PaymentRequestQueries {
  constructor(
    private readonly database: Database,
    private readonly deliveries: SettlementAndRefundRecords,
  ) {}

  async find(
    scope: TenantScope,
    pointOfSale: PointOfSaleId,
    id: PaymentRequestId,
  ): Promise<PaymentRequestProgressView> {
    const [row] = await this.database.query<Row>(SELECT_PAYMENT_REQUEST, [
      id,
      pointOfSale,
      scope.organizationId,
      scope.accountId,
    ]);
    if (row === undefined) throw notFound('payment request');
    return toView(row);
  }

  async findDetail(
    scope: TenantScope,
    pointOfSale: PointOfSaleId,
    id: PaymentRequestId,
  ): Promise<PaymentRequestDetailView> {
    const request = await this.find(scope, pointOfSale, id);
    // Most polls come before any transfer, when there is nothing to deliver or refund.
    const records = request.transfers.length === 0 ? null : await this.deliveries.findByRequests([id]);
    return { ...request, delivery: records?.get(id) ?? { refunds: [] } };
  }
}

function toView({ asked, checkout, transfers, history, ...row }: Row): PaymentRequestProgressView {
  return {
    ...withoutNulls<UnconvertedColumns>(row),
    ...(asked && { asked: readPaymentDue(asked) }),
    ...(checkout && { checkout: toCheckoutView(checkout) }),
    transfers: (transfers ?? []).map((transfer) => toTransferView(transfer, row.confirmedAt !== null)),
    history: history.map((entry) => fromJson<StatusHistoryEntry>(entry, { times: ['at'] })),
  };
}
