import { Injectable } from '@nestjs/common';
import type { DeliveryId } from '#shared/kernel/ids.js';
import { IdempotentCreations, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Delivery } from '../../domain/delivery/delivery.js';
import { Redeliveries } from '../../infrastructure/redelivery/persistence/redeliveries.js';
import type { WebhookReference } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../infrastructure/registration/persistence/webhooks.js';
import { RedeliveryLimiter } from './redelivery-limiter.js';

export interface ResendDeliveryInput extends WebhookReference {
  readonly deliveryId: DeliveryId;
  readonly idempotency?: IdempotentCreation<Delivery> | undefined;
}

@Injectable()
export class ResendDelivery {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly redeliveries: Redeliveries,
    private readonly limiter: RedeliveryLimiter,
    private readonly idempotentCreations: IdempotentCreations,
  ) {}

  /**
   * @throws DomainError account_not_allowed, not_found, state_conflict if the webhook is inactive, rate_limited;
   * KeyTaken
   */
  async resend({
    scope,
    accountId,
    webhookId,
    deliveryId,
    idempotency,
  }: ResendDeliveryInput): Promise<Delivery> {
    const owner = await this.accounts.narrowScope(scope, accountId);
    const webhook = await this.webhooks.findActive(owner, webhookId);
    return this.limiter.resend(webhookId, () =>
      this.idempotentCreations.run(idempotency, () =>
        this.unitOfWork.run(() => this.redeliveries.resend(webhook, deliveryId)),
      ),
    );
  }
}
