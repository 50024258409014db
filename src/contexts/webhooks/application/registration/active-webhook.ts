import { DomainError } from '../../../../shared/kernel/domain-error.js';
import type { WebhookId } from '../../../../shared/kernel/ids.js';
import type { Owner, Webhook } from '../../domain/registration/webhook.js';
import type { Webhooks } from '../../domain/registration/webhooks.js';

/** A webhook that something can be sent to. @throws DomainError not_found, or state_conflict where it is inactive */
export async function activeWebhook(webhooks: Webhooks, owner: Owner, id: WebhookId): Promise<Webhook> {
  const webhook = await webhooks.find(owner, id);
  if (webhook.active) return webhook;
  throw new DomainError(
    'conflict',
    'state_conflict',
    'The webhook is inactive, so nothing is sent to it. Activate it first.',
  );
}
