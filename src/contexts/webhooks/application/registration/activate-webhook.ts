import { Injectable } from '@nestjs/common';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { Webhook } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../domain/registration/webhooks.js';
import type { AuditedWebhookReference } from './webhook-reference.js';

/** Lets a webhook hear of what happens from now on. Nothing of what it missed is sent by itself. */
@Injectable()
export class ActivateWebhook {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
  ) {}

  /** Safe to repeat. @throws DomainError account_not_allowed, not_found */
  async execute({ scope, accountId, webhookId, ...by }: AuditedWebhookReference): Promise<Webhook> {
    return this.webhooks.activate(await this.accounts.narrow(scope, accountId), webhookId, by);
  }
}
