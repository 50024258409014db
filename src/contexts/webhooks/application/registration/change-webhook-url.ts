import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { ValidateWebhookUrl } from '../endpoints/validate-webhook-url.js';
import type { Webhook, AuditedWebhookReference } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../infrastructure/registration/persistence/webhooks.js';

export interface ChangeWebhookUrlInput extends AuditedWebhookReference {
  readonly url: string;
}

/** Pending deliveries are sent to the new URL. */
@Injectable()
export class ChangeWebhookUrl {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly validateWebhookUrl: ValidateWebhookUrl,
    private readonly webhooks: Webhooks,
  ) {}

  /** @throws DomainError account_not_allowed, not_found, validation_failed on `url` */
  async change({ scope, accountId, webhookId, url, ...by }: ChangeWebhookUrlInput): Promise<Webhook> {
    const owner = await this.accounts.narrowScope(scope, accountId);
    // The DNS lookup is slow, so an unknown webhook is rejected before it.
    await this.webhooks.find(owner, webhookId);
    const checked = await this.validateWebhookUrl.validate(url);
    if ('rule' in checked) throw invalidField('url', checked.rule, checked.message);
    return this.webhooks.changeUrl(owner, webhookId, url, by);
  }
}
