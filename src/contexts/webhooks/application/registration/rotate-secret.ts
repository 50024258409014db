import { Injectable } from '@nestjs/common';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { IdempotentCreations, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { WebhookOwner, Webhook, AuditedWebhookReference } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../infrastructure/registration/persistence/webhooks.js';
import { AesWebhookSecrets } from '../../infrastructure/registration/persistence/aes-webhook-secrets.js';
import type { RegisteredWebhook } from './register-webhook.js';

export interface RotateSecretInput extends AuditedWebhookReference {
  /** How long the current secret signs in addition to the new one. */
  readonly overlapSeconds: number;
  readonly idempotency?: IdempotentCreation<RegisteredWebhook> | undefined;
}

/** The new secret cannot be read again later. */
@Injectable()
export class RotateSecret {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly secrets: AesWebhookSecrets,
    private readonly webhooks: Webhooks,
    private readonly idempotentCreations: IdempotentCreations,
  ) {}

  /** @throws DomainError account_not_allowed, not_found, state_conflict while two secrets are valid; IdempotencyKeyTaken */
  async rotate(input: RotateSecretInput): Promise<RegisteredWebhook> {
    const owner = await this.accounts.narrowScope(input.scope, input.accountId);
    return this.idempotentCreations.run(input.idempotency, () => this.rotateOnce(owner, input));
  }

  /** Safe to repeat. @throws DomainError account_not_allowed, not_found */
  async endOverlap({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    return this.webhooks.endOverlap(await this.accounts.narrowScope(scope, accountId), webhookId, by);
  }

  private async rotateOnce(
    owner: WebhookOwner,
    { webhookId, overlapSeconds, actor, address }: RotateSecretInput,
  ): Promise<RegisteredWebhook> {
    const { secret, sealed } = this.secrets.issue(webhookId);
    const webhook = await this.webhooks.rotateSecret(owner, webhookId, sealed, overlapSeconds, {
      actor,
      address,
    });
    if (webhook === null) {
      throw stateConflict(
        'The previous secret is still in use. Wait until previous_secret_until, or end the overlap first ' +
          `(POST …/webhook/${webhookId}/end-overlap).`,
      );
    }
    return { webhook, secret };
  }
}
