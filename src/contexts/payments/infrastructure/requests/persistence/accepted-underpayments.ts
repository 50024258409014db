import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';

const IN_SCOPE = 'id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR account_id = $3)';

const ACCEPT = `WITH accepted AS (UPDATE payments.payment_requests SET accepted_by_merchant_at = $4
    WHERE ${IN_SCOPE} AND status = 'underpaid' AND NOT underpayment_accepted AND accepted_by_merchant_at IS NULL
      AND NOT EXISTS (SELECT FROM payments.transfers t WHERE t.payment_request_id = $1 AND t.reversed_at IS NOT NULL)
    RETURNING id)
  SELECT EXISTS (SELECT FROM accepted) AS accepted FROM payments.payment_requests WHERE ${IN_SCOPE}`;

@Injectable()
export class AcceptedUnderpayments {
  constructor(private readonly database: Database) {}

  /** @returns false unless the request is underpaid, not fulfilled yet and not reversed @throws not_found */
  async add({ organizationId, accountId }: Scope, id: PaymentRequestId, at: Date): Promise<boolean> {
    const values = [id, organizationId, accountId, at];
    const [row] = await this.database.queryInTransaction<{ accepted: boolean }>(ACCEPT, values);
    if (row === undefined) throw notFound('payment request');
    return row.accepted;
  }
}
