import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { CheckEndpoint } from '../endpoints/check-endpoint.js';
import type { Webhook } from '../../domain/registration/webhook.js';
import { Webhooks, type AuditedWebhookReference } from '../../domain/registration/webhooks.js';

export interface ChangeWebhookUrlInput extends AuditedWebhookReference {
  readonly url: string;
}

/** Sends a webhook's deliveries to another URL from now on, also those that wait for their next attempt. */
@Injectable()
export class ChangeWebhookUrl {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly checkEndpoint: CheckEndpoint,
    private readonly webhooks: Webhooks,
  ) {}

  /** @throws DomainError account_not_allowed, not_found, or validation_failed on `url` with the rule it breaks */
  async change({ scope, accountId, webhookId, url, ...by }: ChangeWebhookUrlInput): Promise<Webhook> {
    const owner = await this.accounts.narrow(scope, accountId);
    // Before the lookup, which is nothing that somebody else's webhook should be worth.
    await this.webhooks.find(owner, webhookId);
    const checked = await this.checkEndpoint.check(url);
    if ('rule' in checked) throw invalidField('url', checked.rule, checked.message);
    return this.webhooks.changeUrl(owner, webhookId, url, by);
  }
}
