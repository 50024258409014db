import { Injectable } from '@nestjs/common';
import type { DeliveryId } from '../../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { AccountDirectory } from '../../../identity/contract/account-directory.js';
import { narrowToAccount } from '../../../identity/contract/account-narrowing.js';
import type { Delivery } from '../../domain/delivery/delivery.js';
import { Redeliveries } from '../../domain/redelivery/redeliveries.js';
import { Webhooks } from '../../domain/registration/webhooks.js';
import { activeWebhook } from '../registration/active-webhook.js';
import type { NamedWebhook } from '../registration/webhook-reference.js';
import { RedeliveryTurns } from './redelivery-mutex.js';

export interface ResendDeliveryInput extends NamedWebhook {
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
    private readonly turns: RedeliveryTurns,
  ) {}

  /** Safe to repeat. @throws DomainError account_not_allowed, not_found, state_conflict where the webhook is inactive, or rate_limited */
  async execute({ scope, accountId, webhookId, deliveryId }: ResendDeliveryInput): Promise<Delivery> {
    const owner = await narrowToAccount(this.accounts, scope, accountId);
    const webhook = await activeWebhook(this.webhooks, owner, webhookId);
    return this.turns.resend(webhookId, () =>
      this.unitOfWork.run(() => this.redeliveries.resend(webhook, deliveryId)),
    );
  }
}
