import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import {
  CheckoutQueries,
  SESSION_ID_PATTERN,
  SESSION_ID_LENGTH,
} from '#contexts/payments/application/checkout/checkout-session.js';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import {
  CHECKOUT_VIEW,
  toCheckoutView,
  type CheckoutViewRow,
} from '../../requests/persistence/views/checkout-view-row.js';
import {
  OPEN_STATUSES_SQL,
  UNPAID_ENDED_STATUSES_SQL,
  PAYMENT_UNSEEN_STATUSES_SQL,
} from '../../requests/persistence/status-and-deadline.sql.js';

/** Never issued. Queried instead of a malformed session id, so that it takes as long as an unknown id. */
const UNUSED_SESSION_ID = 'A'.repeat(SESSION_ID_LENGTH);

const FIND_SESSION = `${CHECKOUT_VIEW}
WHERE c.payment_request_id IN (SELECT payment_request_id FROM payments.checkouts WHERE session_id = $1
    UNION ALL SELECT payment_request_id FROM payments.session_aliases WHERE alias = $1)
  AND (c.session_id = $1 OR r.status IN ${PAYMENT_UNSEEN_STATUSES_SQL} OR r.status IN ${UNPAID_ENDED_STATUSES_SQL}
    AND NOT EXISTS (SELECT FROM payments.transfers t WHERE t.payment_request_id = r.id))
  AND (r.status IN ${OPEN_STATUSES_SQL} OR GREATEST(r.confirmed_at, r.counts_until) > platform.now() - interval '24 hours')`;

@Injectable()
export class PostgresCheckoutQueries extends CheckoutQueries {
  constructor(
    private readonly database: Database,
    private readonly cell: DeploymentCell,
  ) {
    super();
  }

  async find(sessionId: string): Promise<CheckoutView | undefined> {
    if (this.cell.isCodeOfOtherCell(sessionId, SESSION_ID_LENGTH)) return undefined;
    const [row] = await this.database.query<CheckoutViewRow>(FIND_SESSION, [
      SESSION_ID_PATTERN.test(sessionId) ? sessionId : UNUSED_SESSION_ID,
    ]);
    if (row === undefined) return undefined;
    const view = toCheckoutView(row);
    if (view.sessionId === sessionId) return view;
    // Anyone with the printed code can open an alias, so it must not reveal what a payer has sent.
    const { otherAssets: _, lateTransfers: __, ...shown } = view;
    return { ...shown, sessionId, isAlias: true };
  }

  async findByRequests(
    organizationId: OrganizationId,
    ids: readonly PaymentRequestId[],
  ): Promise<CheckoutView[]> {
    const rows = await this.database.query<CheckoutViewRow>(
      `${CHECKOUT_VIEW} WHERE c.payment_request_id = ANY($2) AND c.organization_id = $1`,
      [organizationId, ids],
    );
    return rows.map(toCheckoutView);
  }

  async newestReadBlocks(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ network: string; headNumber: number }>(
      `SELECT network, head_number FROM payments.chain_cursors`,
    );
    return new Map(rows.map((row) => [row.network, row.headNumber]));
  }
}

/** Anyone at a till can have an alias, so it stops leading to the session once a payment is detected. */
@Injectable()
export class SessionAliases {
  constructor(private readonly database: Database) {}

  /** @param alias any text, including malformed input */
  async isPaid(alias: string): Promise<boolean> {
    if (!SESSION_ID_PATTERN.test(alias)) return false;
    const rows = await this.database.query(
      `SELECT a.alias FROM payments.session_aliases a JOIN payments.payment_requests r ON r.id = a.payment_request_id
       WHERE a.alias = $1 AND r.status NOT IN ${PAYMENT_UNSEEN_STATUSES_SQL} AND r.status NOT IN ${UNPAID_ENDED_STATUSES_SQL}`,
      [alias],
    );
    return rows.length > 0;
  }
}
