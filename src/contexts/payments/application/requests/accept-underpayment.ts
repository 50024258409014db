import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { SettlementAndRefundRecords } from '../../contract/settlement-and-refund-records.js';
import { AcceptedUnderpayments } from '../../infrastructure/requests/persistence/accepted-underpayments.js';

export interface AcceptUnderpaymentInput extends Actor {
  readonly scope: TenantScope;
  readonly id: PaymentRequestId;
}

/** Makes an underpaid request fulfilled, as a tolerance would have. Its status and its ledger transaction stay. */
@Injectable()
export class AcceptUnderpayment {
  constructor(
    private readonly accepted: AcceptedUnderpayments,
    private readonly deliveries: SettlementAndRefundRecords,
    private readonly auditLog: AuditLog,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws not_found, and state_conflict unless the request is underpaid, unfulfilled and its funds were kept */
  accept({ scope, id, ...by }: AcceptUnderpaymentInput): Promise<void> {
    return this.unitOfWork.run(async () => {
      const at = await this.clock.now();
      if (!(await this.accepted.add(scope, id, at))) throw notAcceptable();
      // After the check of the scope, so that nobody learns about refunds of another organization.
      const { refunds = [] } = (await this.deliveries.findByRequests([id])).get(id) ?? {};
      if (refunds.some(({ status }) => status !== 'failed')) throw notAcceptable();
      await this.auditLog.record({
        ...by,
        action: 'payment_request.accepted_as_paid',
        organizationId: scope.organizationId,
        subjectId: id,
        before: { fulfilled: false },
        after: { fulfilled: true },
        at,
      });
    });
  }
}

function notAcceptable(): DomainError {
  return stateConflict(
    'Only an underpaid payment can be accepted as paid, if it is not fulfilled yet and nothing was refunded or reversed.',
  );
}
