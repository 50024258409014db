import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Webhook, AuditedWebhookReference } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../infrastructure/registration/persistence/webhooks.js';

const MAX_WAIT_FOR_DELIVERIES_MS = 1_000;

export abstract class InactiveWebhookDeliveries {
  /**
   * Uses many small units of work, because a large one would block all readers of the event log. Skips locked
   * deliveries, which the worker ends. @param forMs milliseconds after which no further unit of work starts
   */
  abstract failPending(webhook: WebhookId, forMs: number): Promise<void>;
}

/** Every method throws account_not_allowed or not_found. */
@Injectable()
export class ChangeWebhookStatus {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly inactiveWebhookDeliveries: InactiveWebhookDeliveries,
  ) {}

  /** Events that occurred while the webhook was inactive are not sent. Safe to repeat. */
  async activate({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    return this.webhooks.activate(await this.accounts.narrowScope(scope, accountId), webhookId, by);
  }

  /** Pending deliveries fail. Safe to repeat. */
  async deactivate({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    const owner = await this.accounts.narrowScope(scope, accountId);
    const webhook = await this.webhooks.deactivate(owner, webhookId, by);
    await this.inactiveWebhookDeliveries.failPending(webhookId, MAX_WAIT_FOR_DELIVERIES_MS);
    return webhook;
  }

  /** Pending deliveries fail. The attempts stay in the account's log. */
  async delete({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<void> {
    const owner = await this.accounts.narrowScope(scope, accountId);
    await this.webhooks.delete(owner, webhookId, by);
    await this.inactiveWebhookDeliveries.failPending(webhookId, MAX_WAIT_FOR_DELIVERIES_MS);
  }
}
