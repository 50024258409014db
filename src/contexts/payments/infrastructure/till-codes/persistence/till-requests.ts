import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import { newSessionId } from '#contexts/payments/application/checkout/checkout-session.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type {
  PaymentDueView,
  PaymentRequestFactsView,
  PaymentRequestView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import {
  IS_FULFILLED,
  PAYMENT_UNSEEN_STATUSES_SQL,
} from '../../requests/persistence/status-and-deadline.sql.js';
import {
  PAYMENT_DUE_JSON,
  readPaymentDue,
  type PaymentDueJson,
} from '../../requests/persistence/views/checkout-view-row.js';

type RequestFacts = PaymentRequestFactsView & Pick<PaymentRequestView, 'token'>;

export type RequestWithoutCheckout = RequestFacts & { readonly asked: PaymentDueView };

/** A checkout is displayed by an alias of its session. */
export type DisplayedTillRequest = { readonly alias: string } | { readonly direct: RequestWithoutCheckout };

type Row = RowOf<RequestFacts> & {
  readonly asked: PaymentDueJson | null;
  readonly sessionId: string | null;
  readonly alias: string | null;
};

const CURRENT_REQUEST = `SELECT r.id, r.organization_id, r.account_id, r.point_of_sale_id, r.type, r.status, ${IS_FULFILLED} AS fulfilled,
  r.reference_id, r."order", r.token, r.created_at, r.expires_at, c.session_id, a.alias, ${PAYMENT_DUE_JSON} AS asked
  FROM payments.payment_requests r
  LEFT JOIN payments.checkouts c ON c.payment_request_id = r.id
  LEFT JOIN payments.session_aliases a ON a.payment_request_id = r.id
  WHERE r.point_of_sale_id = $1 AND r.status IN ${PAYMENT_UNSEEN_STATUSES_SQL} AND r.expires_at > platform.now() AND c.amount_by_payer IS NOT TRUE
  ORDER BY r.created_at DESC, r.id DESC LIMIT 1`;

const ADD_ALIAS = `
WITH added AS (
  INSERT INTO payments.session_aliases (payment_request_id, organization_id, account_id, alias, created_at)
  VALUES ($1, $2, $3, $4, platform.now()) ON CONFLICT (payment_request_id) DO NOTHING RETURNING alias
)
SELECT alias FROM added`;

@Injectable()
export class TillRequests {
  constructor(
    private readonly database: Database,
    private readonly cell: DeploymentCell,
  ) {}

  /** Excludes requests for amounts typed by payers. */
  async findCurrent(pointOfSale: PointOfSaleId): Promise<DisplayedTillRequest | undefined> {
    const [row] = await this.database.query<Row>(CURRENT_REQUEST, [pointOfSale]);
    if (row === undefined) return undefined;
    const { sessionId, alias, asked, ...facts } = row;
    // A request without a hosted page has its asset from creation.
    if (sessionId === null)
      return { direct: { ...withoutNulls<RequestFacts>(facts), asked: readPaymentDue(asked!) } };
    return { alias: alias ?? (await this.createAlias(row)) };
  }

  async findWithEnteredAmount(
    pointOfSale: PointOfSaleId,
    sessionId: string,
  ): Promise<PaymentRequestId | undefined> {
    const [row] = await this.database.query<{ id: PaymentRequestId }>(
      `SELECT r.id FROM payments.checkouts c JOIN payments.payment_requests r ON r.id = c.payment_request_id
       WHERE c.session_id = $2 AND c.amount_by_payer AND r.point_of_sale_id = $1`,
      [pointOfSale, sessionId],
    );
    return row?.id;
  }

  private async createAlias({ id, organizationId, accountId }: Row): Promise<string> {
    const values = [id, organizationId, accountId, newSessionId(this.cell)];
    const [added] = await this.database.query<{ alias: string }>(ADD_ALIAS, values);
    if (added !== undefined) return added.alias;
    const [other] = await this.database.query<{ alias: string }>(
      'SELECT alias FROM payments.session_aliases WHERE payment_request_id = $1',
      [id],
    );
    return other!.alias;
  }
}
