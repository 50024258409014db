import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Webhook } from '../../domain/registration/webhook.js';
import { Webhooks, type AuditedWebhookReference } from '../../domain/registration/webhooks.js';

/** How long a request that deactivates or deletes a webhook waits for its deliveries to end. */
const MAX_WAIT_MS = 1_000;

/** Pending deliveries of webhooks that were deactivated or deleted. */
export abstract class InactiveDeliveries {
  /**
   * Ends the pending deliveries of an inactive webhook as failed, each with an entry in its attempt log, in many small units of
   * work: a hundred thousand deliveries in one would hold up every reader of the event log, and be undone as a whole on a
   * timeout. Waits for no lock. A delivery that is being attempted is ended by the worker that attempts it, and one queued
   * meanwhile by the worker that claims it.
   * @param forMs begins no other unit of work after that time; the worker continues with the rest
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

  /** Sends it what happens from now on; nothing that it missed is sent by itself. Safe to repeat. */
  async activate({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    return this.webhooks.activate(await this.accounts.narrow(scope, accountId), webhookId, by);
  }

  /** Sends it nothing more, and ends what waits for it. Safe to repeat. */
  async deactivate({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    const owner = await this.accounts.narrow(scope, accountId);
    const webhook = await this.webhooks.deactivate(owner, webhookId, by);
    await this.inactiveDeliveries.end(webhookId, MAX_WAIT_MS);
    return webhook;
  }

  /** Makes it unfindable, and ends what waits for it. Its attempts stay in the account's log. */
  async delete({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<void> {
    const owner = await this.accounts.narrow(scope, accountId);
    await this.webhooks.delete(owner, webhookId, by);
    await this.inactiveDeliveries.end(webhookId, MAX_WAIT_MS);
  }
}
