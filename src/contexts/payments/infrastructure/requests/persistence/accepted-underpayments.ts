import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import type { PaymentRequestAcceptedAsPaid } from '#contexts/payments/contract/payment-request-events.js';

interface Row {
  readonly accepted: boolean;
  readonly accountId: AccountId;
  readonly pointOfSaleId: string;
  readonly referenceId: string | null;
}

const IN_SCOPE = 'id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR account_id = $3)';

const ACCEPT = `WITH accepted AS (UPDATE payments.payment_requests SET accepted_by_merchant_at = $4
    WHERE ${IN_SCOPE} AND status = 'underpaid' AND NOT underpayment_accepted AND accepted_by_merchant_at IS NULL
      AND NOT EXISTS (SELECT FROM payments.transfers t WHERE t.payment_request_id = $1 AND t.reversed_at IS NOT NULL)
    RETURNING id)
  SELECT EXISTS (SELECT FROM accepted) AS accepted, account_id AS "accountId", point_of_sale_id AS "pointOfSaleId",
    reference_id AS "referenceId"
  FROM payments.payment_requests WHERE ${IN_SCOPE}`;

@Injectable()
export class AcceptedUnderpayments {
  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
  ) {}

  /** @returns false unless the request is underpaid, not fulfilled yet and not reversed @throws not_found */
  async add({ organizationId, accountId }: TenantScope, id: PaymentRequestId, at: Date): Promise<boolean> {
    const values = [id, organizationId, accountId, at];
    const [row] = await this.database.queryInTransaction<Row>(ACCEPT, values);
    if (row === undefined) throw notFound('payment request');
    if (row.accepted) await this.eventLog.append([acceptedEvent(row, organizationId, id, at)]);
    return row.accepted;
  }
}

function acceptedEvent(
  { accountId, pointOfSaleId, referenceId }: Row,
  organizationId: TenantScope['organizationId'],
  aggregateId: PaymentRequestId,
  occurredAt: Date,
): PaymentRequestAcceptedAsPaid {
  return {
    type: 'payment_request.accepted_as_paid',
    ...{ aggregateId, organizationId, accountId, occurredAt },
    data: {
      ...{ status: 'underpaid', underpaymentAccepted: true, paymentRequestType: 'fixed', pointOfSaleId },
      ...(referenceId !== null && { referenceId }),
    },
  };
}
