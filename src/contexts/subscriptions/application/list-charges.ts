import { Injectable } from '@nestjs/common';
import type { SubscriptionId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { ChargeRequests, type ChargeRequest } from '#contexts/payments/contract/charge-requests.js';
import type { SubscriptionState } from '../domain/subscription-state.js';
import { OpenOwedCharge } from './open-owed-charge.js';
import { SubscriptionQueries, type ChargeView } from './subscription-queries.js';

/** A charge with its last payment request as payments knows it; absent while none could be opened. */
export interface PayableCharge {
  readonly charge: ChargeView;
  readonly request?: ChargeRequest;
}

export interface ChargesPage extends Page<PayableCharge> {
  readonly subscription: SubscriptionState;
}

/** What a wallet has to pay. */
@Injectable()
export class ListCharges {
  constructor(
    private readonly queries: SubscriptionQueries,
    private readonly chargeRequests: ChargeRequests,
    private readonly openOwed: OpenOwedCharge,
  ) {}

  /**
   * @param mayOpen whether a payment request is opened where a charge is owed and none of it is open
   * @throws not_found, also for another tenant's
   */
  async execute(
    scope: Scope,
    id: SubscriptionId,
    { mayOpen, ...page }: PageRequest & { mayOpen: boolean },
  ): Promise<ChargesPage> {
    const subscription = await this.queries.find(scope, id);
    if (mayOpen) await this.openOwed.forWallet(scope, id);
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
}
