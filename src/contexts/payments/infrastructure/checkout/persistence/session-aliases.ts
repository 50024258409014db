import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import { UNSEEN } from '../../requests/persistence/status-and-deadline.sql.js';

const SEVERAL = Buffer.alloc(0);

/**
 * Decides which browser keeps a session that the printed code of a till has led to. Everybody who knows the code can open it, so the
 * browser that paid is known only if no other one has opened the page before the payment, neither by the alias nor from the screen of
 * the till.
 */
@Injectable()
export class SessionAliases {
  constructor(private readonly database: Database) {}

  /** Notes that a browser opens the page. Has no effect once a payment is seen. @param browser digest of its cookie */
  async noteOpening({ id, isAlias, hasAlias }: CheckoutView, browser: Buffer | undefined): Promise<void> {
    if (hasAlias === true && isAlias !== true) await this.note(id, SEVERAL);
    else if (isAlias === true && browser !== undefined) await this.note(id, browser);
  }

  /** @returns the id of the session, if a payment to it was seen and this browser holds it */
  async keptBy(alias: string, browser: Buffer | undefined): Promise<string | undefined> {
    if (browser === undefined) return undefined;
    const [row] = await this.database.query<{ sessionId: string }>(
      `SELECT c.session_id FROM payments.session_aliases a
       JOIN payments.checkouts c USING (payment_request_id)
       JOIN payments.payment_requests r ON r.id = a.payment_request_id
       WHERE a.alias = $1 AND a.holder = $2 AND r.status NOT IN ${UNSEEN}`,
      [alias, browser],
    );
    return row?.sessionId;
  }

  private async note(request: PaymentRequestId, holder: Buffer): Promise<void> {
    await this.database.query(
      `UPDATE payments.session_aliases SET holder = CASE WHEN holder IS NULL THEN $2::bytea ELSE '' END
       WHERE payment_request_id = $1 AND holder IS DISTINCT FROM $2 AND holder IS DISTINCT FROM ''
         AND EXISTS (SELECT FROM payments.payment_requests r WHERE r.id = $1 AND r.status IN ${UNSEEN})
       RETURNING payment_request_id`,
      [request, holder],
    );
  }
}
