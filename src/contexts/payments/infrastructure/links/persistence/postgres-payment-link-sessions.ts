import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PaymentLinkId, PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { PaymentLinkSession } from '#contexts/payments/domain/links/payment-link-session.js';
import { PaymentLinkSessions } from '#contexts/payments/domain/links/payment-link-sessions.js';

@Injectable()
export class PostgresPaymentLinkSessions extends PaymentLinkSessions {
  constructor(private readonly database: Database) {
    super();
  }

  async find(link: PaymentLinkId, payerSecret: string): Promise<PaymentLinkSession | undefined> {
    const [session] = await this.database.query<PaymentLinkSession>(
      `SELECT r.id AS request_id, c.session_id, r.status, r.expires_at,
         r.counts_until
       FROM payments.payment_link_sessions s
       JOIN payments.payment_requests r ON r.id = s.payment_request_id
       JOIN payments.checkouts c ON c.payment_request_id = s.payment_request_id
       WHERE s.payment_link_id = $1 AND s.cookie_digest = $2`,
      [link, digest(payerSecret)],
    );
    return session;
  }

  async put(
    link: PaymentLinkId,
    payerSecret: string,
    request: PaymentRequestId,
    instead: PaymentRequestId | null,
  ): Promise<boolean> {
    const stored = await this.database.write(
      `INSERT INTO payments.payment_link_sessions AS s (payment_link_id, cookie_digest, payment_request_id, updated_at)
       VALUES ($1, $2, $3, platform.now())
       ON CONFLICT (payment_link_id, cookie_digest)
       DO UPDATE SET payment_request_id = EXCLUDED.payment_request_id, updated_at = EXCLUDED.updated_at
       WHERE s.payment_request_id = $4::uuid
       RETURNING 1 AS stored`,
      [link, digest(payerSecret), request, instead],
    );
    return stored.length === 1;
  }
}

/** A reader of the table cannot make the cookie. The secret has 192 random bits, so it needs no salt. */
function digest(payerSecret: string): Buffer {
  return createHash('sha256').update(payerSecret).digest();
}
