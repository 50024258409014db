import { Injectable } from '@nestjs/common';
import { invalidField, stateConflict } from '#shared/kernel/domain-error.js';
import { newId, type WebhookId } from '#shared/kernel/ids.js';
import { IdempotentCreations, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Actor } from '#contexts/identity/contract/audit-log.js';
import { ValidateWebhookUrl } from '../endpoints/validate-webhook-url.js';
import type { WebhookOwner, Webhook, WebhookEventType } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../infrastructure/registration/persistence/webhooks.js';
import { AesWebhookSecrets } from '../../infrastructure/registration/persistence/aes-webhook-secrets.js';
import { WebhooksSettings } from '../webhooks-settings.js';

export interface RegisterWebhookInput extends Actor {
  readonly scope: TenantScope;
  readonly accountId: string;
  readonly url: string;
  readonly eventType: WebhookEventType;
  readonly description?: string;
  readonly idempotency?: IdempotentCreation<RegisteredWebhook> | undefined;
}

export interface RegisteredWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** Only a rotation returns the secret again, and replaces it. */
@Injectable()
export class RegisterWebhook {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly validateWebhookUrl: ValidateWebhookUrl,
    private readonly secrets: AesWebhookSecrets,
    private readonly webhooks: Webhooks,
    private readonly settings: WebhooksSettings,
    private readonly idempotentCreations: IdempotentCreations,
  ) {}

  /**
   * @throws DomainError account_not_allowed, validation_failed on `url`, state_conflict at the maximum number of
   * webhooks; IdempotencyKeyTaken
   */
  async register(input: RegisterWebhookInput): Promise<RegisteredWebhook> {
    const { organizationId, accountId } = await this.accounts.narrowScope(input.scope, input.accountId);
    // The DNS lookup can take a second, so it runs outside any transaction.
    const checked = await this.validateWebhookUrl.validate(input.url);
    if ('rule' in checked) throw invalidField('url', checked.rule, checked.message);

    return this.idempotentCreations.run(input.idempotency, () =>
      this.add({ organizationId, accountId }, input),
    );
  }

  private async add(
    owner: WebhookOwner,
    { url, eventType, description, actor, address }: RegisterWebhookInput,
  ): Promise<RegisteredWebhook> {
    const id = newId<WebhookId>();
    const { secret, sealed } = this.secrets.issue(id);
    const webhook = await this.webhooks.add(
      { id, ...owner, url, eventType, description },
      sealed,
      this.settings.perAccount,
      { actor, address },
    );
    if (webhook === null) {
      throw stateConflict(
        `The account already has ${this.settings.perAccount} webhooks, the maximum. Delete one first.`,
      );
    }
    return { webhook, secret };
  }
}
