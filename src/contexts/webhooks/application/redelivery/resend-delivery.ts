import { Injectable } from '@nestjs/common';
import type { DeliveryId } from '../../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { AccountDirectory } from '../../../identity/contract/account-directory.js';
import type { Delivery } from '../../domain/delivery/delivery.js';
import { Redeliveries } from '../../domain/redelivery/redeliveries.js';
import { Webhooks } from '../../domain/registration/webhooks.js';
import { findActiveWebhook, type WebhookReference } from '../registration/webhook-reference.js';
import { RedeliveryMutex } from './redelivery-mutex.js';

export interface ResendDeliveryInput extends WebhookReference {
  readonly deliveryId: DeliveryId;
}

/** Sends one delivery again, at once, whether it has ended or waits. */
@Injectable()
export class ResendDelivery {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly redeliveries: Redeliveries,
    private readonly mutex: RedeliveryMutex,
  ) {}

  /** Safe to repeat. @throws DomainError account_not_allowed, not_found, state_conflict where the webhook is inactive, or rate_limited */
  async execute({ scope, accountId, webhookId, deliveryId }: ResendDeliveryInput): Promise<Delivery> {
    const owner = await this.accounts.narrow(scope, accountId);
    const webhook = await findActiveWebhook(this.webhooks, owner, webhookId);
    return this.mutex.resend(webhookId, () =>
      this.unitOfWork.run(() => this.redeliveries.resend(webhook, deliveryId)),
    );
  }
}
