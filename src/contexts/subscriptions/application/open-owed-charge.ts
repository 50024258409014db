import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { notFound } from '#shared/kernel/domain-error.js';
import {
  newId,
  type OrganizationId,
  type PaymentRequestId,
  type SubscriptionId,
} from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { ChargeRequests, type ChargeRequestView } from '#contexts/payments/contract/charge-requests.js';
import type { Subscription } from '../domain/subscription.js';
import { Subscriptions } from '../domain/subscriptions.js';
import { OpenChargeRequest } from './open-charge-request.js';
import { normalizePageCode } from './payer-page.js';

interface OwedRequest {
  readonly organizationId: OrganizationId;
  readonly request: PaymentRequestId | null;
}

@Injectable()
export class OpenOwedCharge {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly chargeRequests: ChargeRequests,
    private readonly openRequest: OpenChargeRequest,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async forWallet(scope: TenantScope, id: SubscriptionId): Promise<void> {
    await this.openOwed(() => this.subscriptions.lock(scope, id));
  }

  /** @param code unvalidated code of the payer's page */
  async forPayer(code: string): Promise<ChargeRequestView | null> {
    const { organizationId, request } = await this.openOwed(async () => {
      const subscription = await this.subscriptions.lockByPageCode(normalizePageCode(code));
      if (subscription === null) throw notFound('subscription');
      return subscription;
    });
    if (request === null) return null;
    const [opened] = await this.chargeRequests.find(organizationId, [request]);
    return opened ?? null;
  }

  private async openOwed(lock: () => Promise<Subscription>): Promise<OwedRequest> {
    const owed = await this.unitOfWork.run(async (): Promise<OwedRequest> => {
      const subscription = await lock();
      const request = subscription.planPayerRequest(await this.clock.now(), newId);
      await this.subscriptions.save([subscription]);
      return { organizationId: subscription.snapshot.organizationId, request };
    });
    if (owed.request !== null) await this.openRequest.open(owed.request);
    return owed;
  }
}
