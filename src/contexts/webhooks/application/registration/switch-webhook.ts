import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Webhook, AuditedWebhookReference } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../infrastructure/registration/persistence/webhooks.js';

/** How long a request to deactivate or delete a webhook waits until its deliveries have ended. */
const MAX_WAIT_FOR_DELIVERIES_MS = 1_000;

/** A port, because the registration of webhooks must not import the delivery code. */
export abstract class InactiveDeliveries {
  /**
   * Marks the pending deliveries of an inactive webhook as failed and logs an attempt for each of them. Uses many
   * small units of work, because a large unit would block all readers of the event log and could be rolled back by a
   * timeout. Skips locked deliveries: the worker ends those that it is attempting, and those that are queued later.
   * @param forMs milliseconds after which no further unit of work starts; the worker ends the remaining deliveries
   */
  abstract end(webhook: WebhookId, forMs: number): Promise<void>;
}

/** Activates, deactivates and deletes webhooks. Every method throws account_not_allowed or not_found. */
@Injectable()
export class SwitchWebhook {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
    private readonly inactiveDeliveries: InactiveDeliveries,
  ) {}

  /** Activates a webhook. Events that occurred while it was inactive are not sent. Safe to repeat. */
  async activate({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    return this.webhooks.activate(await this.accounts.narrow(scope, accountId), webhookId, by);
  }

  /** Stops sending events to a webhook and marks its pending deliveries as failed. Safe to repeat. */
  async deactivate({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    const owner = await this.accounts.narrow(scope, accountId);
    const webhook = await this.webhooks.deactivate(owner, webhookId, by);
    await this.inactiveDeliveries.end(webhookId, MAX_WAIT_FOR_DELIVERIES_MS);
    return webhook;
  }

  /** Deletes a webhook and marks its pending deliveries as failed. Its attempts stay in the account's log. */
  async delete({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<void> {
    const owner = await this.accounts.narrow(scope, accountId);
    await this.webhooks.delete(owner, webhookId, by);
    await this.inactiveDeliveries.end(webhookId, MAX_WAIT_FOR_DELIVERIES_MS);
  }
}
