import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { SESSION_ID } from '#contexts/payments/application/checkout/checkout-session.js';
import { UNPAID_ENDED, UNSEEN } from '../../requests/persistence/status-and-deadline.sql.js';

/** An alias is known for good, and leads nobody on once a payment was seen: everybody at the till has it. */
@Injectable()
export class SessionAliases {
  constructor(private readonly database: Database) {}

  /** @param alias any text, however malformed @returns false also for the session's own id */
  async isPaid(alias: string): Promise<boolean> {
    if (!SESSION_ID.test(alias)) return false;
    const rows = await this.database.query(
      `SELECT a.alias FROM payments.session_aliases a JOIN payments.payment_requests r ON r.id = a.payment_request_id
       WHERE a.alias = $1 AND r.status NOT IN ${UNSEEN} AND r.status NOT IN ${UNPAID_ENDED}`,
      [alias],
    );
    return rows.length > 0;
  }
}
