import { Injectable } from '@nestjs/common';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { Webhooks } from '../../domain/registration/webhooks.js';
import { MAX_WAIT_MS, EndInactiveDeliveries } from './end-inactive-deliveries.js';
import type { AuditedWebhookReference } from './webhook-reference.js';

/** Makes a webhook unfindable, and ends what waits for it. What was attempted stays in the account's log. */
@Injectable()
export class DeleteWebhook {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly endInactiveDeliveries: EndInactiveDeliveries,
  ) {}

  /** @throws DomainError account_not_allowed, or not_found, also where it is deleted already */
  async execute({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<void> {
    const owner = await this.accounts.narrow(scope, accountId);
    await this.webhooks.delete(owner, webhookId, by);
    await this.endInactiveDeliveries.execute(webhookId, MAX_WAIT_MS);
  }
}
