import { Injectable } from '@nestjs/common';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Webhook } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../domain/registration/webhooks.js';
import { MAX_WAIT_MS, EndInactiveDeliveries } from './end-inactive-deliveries.js';
import type { AuditedWebhookReference } from './webhook-reference.js';

/** Lets a webhook hear of nothing more, and ends what waits for it. */
@Injectable()
export class DeactivateWebhook {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly endInactiveDeliveries: EndInactiveDeliveries,
  ) {}

  /** Safe to repeat. @throws DomainError account_not_allowed, not_found */
  async execute({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    const owner = await this.accounts.narrow(scope, accountId);
    const webhook = await this.webhooks.deactivate(owner, webhookId, by);
    await this.endInactiveDeliveries.execute(webhookId, MAX_WAIT_MS);
    return webhook;
  }
}
