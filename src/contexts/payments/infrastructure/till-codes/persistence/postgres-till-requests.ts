import { Injectable } from '@nestjs/common';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import { TillRequests, type ShownRequest } from '#contexts/payments/application/till-codes/till-requests.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';
import type { UnpaidRequest } from '#contexts/payments/domain/till-codes/occupied-till.js';
import { IS_FULFILLED, UNSEEN } from '../../requests/persistence/status-and-deadline.sql.js';
import { ASKED, readAsked, type AskedJson } from '../../requests/persistence/views/checkout-view-row.js';

/** Selects the unpaid requests of the point of sale $1 at a moment. The checkout says who has named the amount. */
const unpaid = (now: string) => `FROM payments.payment_requests r
  LEFT JOIN payments.checkouts c ON c.payment_request_id = r.id
  WHERE r.point_of_sale_id = $1 AND r.status IN ${UNSEEN} AND r.expires_at > ${now}`;

type Facts = Omit<PaymentRequestView, keyof AskedJson>;
type Row = RowOf<Facts> & { readonly asked: AskedJson | null; readonly sessionId: string | null };

const SHOWN = `SELECT r.id, r.organization_id, r.account_id, r.point_of_sale_id, r.type, r.status, ${IS_FULFILLED} AS fulfilled,
  r.reference_id, r."order", r.token, r.created_at, r.expires_at, c.session_id, ${ASKED} AS asked
  ${unpaid('platform.now()')} AND c.amount_by_payer IS NOT TRUE
  ORDER BY r.created_at DESC, r.id DESC LIMIT 1`;

const UNPAID = `SELECT COALESCE(c.amount_by_payer, false) AS by_payer, c.session_id, r.created_at, EXISTS (
    SELECT FROM payments.authorizations a WHERE a.payment_request_id = r.id AND a.state IN ('queued', 'sent')) AS is_signed
  ${unpaid('$2')} AND r.id IS DISTINCT FROM $3::uuid`;

@Injectable()
export class PostgresTillRequests extends TillRequests {
  constructor(private readonly database: Database) {
    super();
  }

  async shownOn(pointOfSale: PointOfSaleId): Promise<ShownRequest | undefined> {
    const [row] = await this.database.query<Row>(SHOWN, [pointOfSale]);
    if (row === undefined) return undefined;
    const { sessionId, asked, ...facts } = row;
    if (sessionId !== null) return { sessionId };
    // A request without a page has its asset from the beginning.
    return { direct: { ...withoutNulls<Facts>(facts), ...readAsked(asked!) } };
  }

  unpaidOn(pointOfSale: PointOfSaleId, now: Date, except?: PaymentRequestId): Promise<UnpaidRequest[]> {
    return this.database.query<UnpaidRequest>(UNPAID, [pointOfSale, now, except ?? null]);
  }
}
