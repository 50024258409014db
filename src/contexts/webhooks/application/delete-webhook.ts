import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import { AccountDirectory } from '../../identity/contract/account-directory.js';
import { narrowToAccount } from '../../identity/contract/account-narrowing.js';
import { Deliveries } from '../domain/deliveries.js';
import { Webhooks } from '../domain/webhooks.js';
import type { NamedWebhook } from './named-webhook.js';

/** Makes a webhook unfindable, and ends what waits for it. What was attempted stays in the account's log. */
@Injectable()
export class DeleteWebhook {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
  ) {}

  /** @throws DomainError account_not_allowed, or not_found, also where it is deleted already */
  async execute({ scope, accountId, webhookId }: NamedWebhook): Promise<void> {
    const owner = await narrowToAccount(this.accounts, scope, accountId);
    await this.unitOfWork.run(async () => {
      await this.webhooks.find(owner, webhookId);
      // Before the webhook itself: workers that record attempts lock in this order too.
      await this.deliveries.endWaiting(owner, webhookId);
      await this.webhooks.delete(owner, webhookId);
    });
  }
}
