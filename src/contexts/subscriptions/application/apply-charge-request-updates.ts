import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import type { ChargeRequestOutcome } from '../domain/charge.js';
import type { Subscription } from '../domain/subscription.js';
import { Subscriptions } from '../domain/subscriptions.js';

/** The payment request may not belong to a charge. */
export type ChargeRequestUpdate = { readonly requestId: PaymentRequestId; readonly at: Date } & (
  | { readonly fact: 'opened' | 'window_cut' | 'accepted' }
  | { readonly fact: 'ended'; readonly outcome: ChargeRequestOutcome }
);

@Injectable()
export class ApplyChargeRequestUpdates {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @param facts in chronological order per request */
  apply(facts: readonly ChargeRequestUpdate[]): Promise<void> {
    return this.unitOfWork.run(async () => {
      const charged = await this.subscriptions.lockByChargeRequests([
        ...new Set(facts.map(({ requestId }) => requestId)),
      ]);
      const byRequest = new Map(
        charged.flatMap((each) => affectedRequests(each).map((id) => [id, each] as const)),
      );
      for (const fact of facts) {
        const subscription = byRequest.get(fact.requestId);
        if (subscription !== undefined) applyFact(subscription, fact);
      }
      await this.subscriptions.save(charged);
    });
  }
}

function affectedRequests({ chargesByNumber }: Subscription): PaymentRequestId[] {
  return chargesByNumber.flatMap(({ snapshot }) => snapshot.requests.map(({ id }) => id));
}

function applyFact(subscription: Subscription, fact: ChargeRequestUpdate): void {
  if (fact.fact === 'ended') subscription.recordRequestEnded(fact.requestId, fact.outcome, fact.at);
  else if (fact.fact === 'accepted') subscription.recordRequestAccepted(fact.requestId, fact.at);
  else if (fact.fact === 'opened') subscription.recordRequestOpened(fact.requestId);
  else subscription.recordPaymentWindowCut(fact.requestId);
}
