import { Injectable } from '@nestjs/common';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Webhook } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../domain/registration/webhooks.js';
import { EndInactiveDeliveries, MAX_WAIT_MS } from './end-inactive-deliveries.js';
import type { AuditedWebhookReference } from './webhook-reference.js';

/** Activates, deactivates and deletes webhooks. Every method throws account_not_allowed or not_found. */
@Injectable()
export class SwitchWebhook {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly endInactiveDeliveries: EndInactiveDeliveries,
  ) {}

  /** Sends it what happens from now on; nothing that it missed is sent by itself. Safe to repeat. */
  async activate({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    return this.webhooks.activate(await this.accounts.narrow(scope, accountId), webhookId, by);
  }

  /** Sends it nothing more, and ends what waits for it. Safe to repeat. */
  async deactivate({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    const owner = await this.accounts.narrow(scope, accountId);
    const webhook = await this.webhooks.deactivate(owner, webhookId, by);
    await this.endInactiveDeliveries.execute(webhookId, MAX_WAIT_MS);
    return webhook;
  }

  /** Makes it unfindable, and ends what waits for it. Its attempts stay in the account's log. */
  async delete({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<void> {
    const owner = await this.accounts.narrow(scope, accountId);
    await this.webhooks.delete(owner, webhookId, by);
    await this.endInactiveDeliveries.execute(webhookId, MAX_WAIT_MS);
  }
}
