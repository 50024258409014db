import { Injectable } from '@nestjs/common';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Webhook } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../domain/registration/webhooks.js';
import type { AuditedWebhookReference } from './webhook-reference.js';

/** Lets the secret before the current one sign no more. */
@Injectable()
export class EndOverlap {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
  ) {}

  /** Safe to repeat. @throws DomainError account_not_allowed, not_found */
  async execute({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    return this.webhooks.endOverlap(await this.accounts.narrow(scope, accountId), webhookId, by);
  }
}
