import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { type IdempotentCreation, IdempotentCreations } from '#shared/kernel/idempotent-creation.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { claimExpiry, type RefundSnapshot } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { auditRefund } from './audit-refund.js';
import { claimCodeDigest, newClaimCode } from './refund-claim.js';

export interface ReplaceClaimLinkInput {
  readonly scope: TenantScope;
  readonly id: string;
  readonly expiresAt?: Date | undefined;
  readonly idempotency?: IdempotentCreation<ReplacedClaimLink> | undefined;
  readonly audited?: Actor;
}

export interface ReplacedClaimLink {
  readonly refund: RefundSnapshot;
  /** Secret code in the payer's new refund link. Only its digest is stored. */
  readonly claim: string;
}

/** Creates another claim link for a refund whose link was lost. The previous link stops working. */
@Injectable()
export class ReplaceClaimLink {
  constructor(
    private readonly refunds: Refunds,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotentCreations: IdempotentCreations,
    private readonly cell: DeploymentCell,
    private readonly auditLog: AuditLog,
  ) {}

  /** @throws not_found; state_conflict unless the refund waits for the payer's address */
  async replace({
    scope,
    id,
    expiresAt,
    idempotency,
    audited: by,
  }: ReplaceClaimLinkInput): Promise<ReplacedClaimLink> {
    return this.idempotentCreations.run(idempotency, () =>
      this.unitOfWork.run(async () => {
        const refund = await this.refunds.lock(scope, id);
        const [before, at] = [refund.snapshot, await this.clock.now()];
        refund.replaceClaimLink(claimExpiry(expiresAt, at, 'expires_at'), at);
        const claim = newClaimCode(this.cell);
        await this.refunds.saveClaim(refund, claimCodeDigest(claim));
        const after = refund.snapshot;
        await auditRefund(this.auditLog, 'refund.claim_replaced', { before, after, by, at });
        return { refund: after, claim };
      }),
    );
  }
}
