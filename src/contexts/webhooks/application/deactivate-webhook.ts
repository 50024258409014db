import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import { AccountDirectory } from '../../identity/contract/account-directory.js';
import { narrowToAccount } from '../../identity/contract/account-narrowing.js';
import { Deliveries } from '../domain/deliveries.js';
import type { Webhook } from '../domain/webhook.js';
import { Webhooks } from '../domain/webhooks.js';
import type { NamedWebhook } from './named-webhook.js';

/** Lets a webhook hear of nothing more, and ends what waits for it. */
@Injectable()
export class DeactivateWebhook {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
  ) {}

  /** Safe to repeat. @throws DomainError account_not_allowed, not_found */
  async execute({ scope, accountId, webhookId }: NamedWebhook): Promise<Webhook> {
    const owner = await narrowToAccount(this.accounts, scope, accountId);
    return this.unitOfWork.run(async () => {
      await this.webhooks.find(owner, webhookId);
      // Before the webhook itself: workers that record attempts lock in this order too.
      await this.deliveries.endWaiting(owner, webhookId);
      return this.webhooks.deactivate(owner, webhookId);
    });
  }
}
