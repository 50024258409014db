import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../../shared/kernel/page.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { AccountDirectory } from '../../../identity/contract/account-directory.js';
import type { Webhook } from '../../domain/registration/webhook.js';
import { Webhooks } from '../../domain/registration/webhooks.js';

export interface ListWebhooksInput {
  readonly scope: Scope;
  /** As it stands in the path; it may be anything. */
  readonly accountId: string;
  readonly page: PageRequest;
}

@Injectable()
export class ListWebhooks {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly webhooks: Webhooks,
  ) {}

  /** Oldest first. @throws account_not_allowed */
  async execute({ scope, accountId, page }: ListWebhooksInput): Promise<Page<Webhook>> {
    return this.webhooks.list(await this.accounts.narrow(scope, accountId), page);
  }
}
