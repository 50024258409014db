import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { newId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { IdempotentCreations, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { OrganizationApproval } from '#contexts/identity/contract/organization-approval.js';
import { ChargeRequests } from '#contexts/payments/contract/charge-requests.js';
import type { BillingInterval } from '../domain/billing-interval.js';
import { offerExpiryOf, type OfferTimes } from '../domain/offer-rules.js';
import { Subscription } from '../domain/subscription.js';
import { auditedFieldsOfSubscription, type SubscriptionSnapshot } from '../domain/subscription-snapshot.js';
import { Subscriptions } from '../domain/subscriptions.js';
import { newPageCode } from './payer-page.js';

export interface CreateSubscriptionInput extends OfferTimes {
  readonly scope: TenantScope;
  readonly pointOfSaleId: PointOfSaleId;
  /** Decimal string in whole units of the asset. */
  readonly amount: string;
  readonly uniqueAssetId: string;
  readonly interval: BillingInterval;
  readonly referenceId?: string | undefined;
  readonly idempotency?: IdempotentCreation<SubscriptionSnapshot> | undefined;
  readonly audited?: Actor;
}

@Injectable()
export class CreateSubscription {
  constructor(
    private readonly chargeRequests: ChargeRequests,
    private readonly subscriptions: Subscriptions,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotentCreations: IdempotentCreations,
    private readonly cell: DeploymentCell,
    private readonly auditLog: AuditLog,
    private readonly approval: OrganizationApproval,
  ) {}

  /**
   * Refuses terms that could not be charged today.
   * @throws not_found, validation_failed, settlement_address_missing, organization_not_approved, state_conflict, unavailable, KeyTaken
   */
  async create({
    scope,
    idempotency,
    audited,
    ...input
  }: CreateSubscriptionInput): Promise<SubscriptionSnapshot> {
    const now = await this.clock.now();
    const until = offerExpiryOf(input, now);
    const charge = await this.chargeRequests.preview({
      scope,
      pointOfSaleId: input.pointOfSaleId,
      amount: input.amount,
      uniqueAssetId: input.uniqueAssetId,
    });
    await this.approval.require(charge.organizationId);
    const { uniqueAssetId, network, currency: symbol, decimals } = charge;
    const subscription = Subscription.offer({
      id: newId(),
      organizationId: charge.organizationId,
      accountId: charge.accountId,
      pointOfSaleId: input.pointOfSaleId,
      code: newPageCode(this.cell),
      merchantName: charge.merchantName,
      asset: { uniqueAssetId, network, symbol, decimals },
      amount: charge.amount,
      interval: input.interval,
      referenceId: input.referenceId,
      trialUntil: input.trialUntil,
      endsAt: input.endsAt,
      offeredUntil: until,
      createdAt: now,
    });
    return this.idempotentCreations.run(idempotency, () =>
      this.unitOfWork.run(async () => {
        await this.subscriptions.add(subscription);
        const { snapshot } = subscription;
        if (audited !== undefined)
          await this.auditLog.record({
            ...audited,
            action: 'subscription.offered',
            organizationId: snapshot.organizationId,
            subjectId: snapshot.id,
            before: null,
            after: auditedFieldsOfSubscription(snapshot),
            at: now,
          });
        return snapshot;
      }),
    );
  }
}
