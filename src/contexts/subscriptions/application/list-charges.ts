import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/kernel/clock.js';
import { newId, type SubscriptionId } from '../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../shared/kernel/page.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import { ChargeRequests, type ChargeRequest } from '../../payments/contract/charge-requests.js';
import type { SubscriptionState } from '../domain/subscription-state.js';
import { Subscriptions } from '../domain/subscriptions.js';
import { OpenChargeRequest } from './open-charge-request.js';
import { SubscriptionQueries, type ChargeView } from './subscription-queries.js';

/** A charge with its last payment request as payments knows it; absent while none could be opened. */
export interface PayableCharge {
  readonly charge: ChargeView;
  readonly request?: ChargeRequest;
}

export interface ChargesPage extends Page<PayableCharge> {
  readonly subscription: SubscriptionState;
}

/** What a wallet has to pay. Where a charge is owed and no payment request of it is open, one is opened. */
@Injectable()
export class ListCharges {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly queries: SubscriptionQueries,
    private readonly chargeRequests: ChargeRequests,
    private readonly openRequest: OpenChargeRequest,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws not_found, also for another tenant's */
  async execute(scope: Scope, id: SubscriptionId, page: PageRequest): Promise<ChargesPage> {
    const subscription = await this.queries.find(scope, id);
    await this.openOwed(scope, id);
    const { items, total } = await this.queries.charges(id, page);
    const wanted = items.flatMap(({ request }) => request?.id ?? []);
    const found = await this.chargeRequests.find(subscription.organizationId, wanted);
    const requests = new Map(found.map((request) => [request.id, request]));
    return {
      ...{ subscription, total },
      items: items.map((charge) => {
        const request = charge.request && requests.get(charge.request.id);
        return { charge, ...(request === undefined ? {} : { request }) };
      }),
    };
  }

  private async openOwed(scope: Scope, id: SubscriptionId): Promise<void> {
    const request = await this.unitOfWork.run(async () => {
      const subscription = await this.subscriptions.lock(scope, id);
      const wanted = subscription.requestForPayer(await this.clock.now(), newId);
      await this.subscriptions.save([subscription]);
      return wanted;
    });
    if (request !== null) await this.openRequest.execute(request);
  }
}
