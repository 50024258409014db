import { stateConflict } from '#shared/kernel/domain-error.js';
import type { WebhookId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Actor } from '#contexts/identity/contract/audit-log.js';
import type { Owner, Webhook } from '../../domain/registration/webhook.js';
import type { Webhooks } from '../../domain/registration/webhooks.js';

/** A webhook as a caller refers to it; it may not exist, or belong to another account. */
export interface WebhookReference {
  readonly scope: Scope;
  /** The text in the path of the request, not validated. */
  readonly accountId: string;
  readonly webhookId: WebhookId;
}

/** For a change that the audit log keeps. */
export interface AuditedWebhookReference extends WebhookReference, Actor {}

/** A webhook that deliveries can be sent to. @throws DomainError not_found, or state_conflict where it is inactive */
export async function findActiveWebhook(webhooks: Webhooks, owner: Owner, id: WebhookId): Promise<Webhook> {
  const webhook = await webhooks.find(owner, id);
  if (webhook.active) return webhook;
  throw stateConflict('The webhook is inactive. Activate it first.');
}
