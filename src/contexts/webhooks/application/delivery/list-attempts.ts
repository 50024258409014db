import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../../shared/kernel/page.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { AccountDirectory } from '../../../identity/contract/account-directory.js';
import { AttemptLog, type LoggedAttempt } from './attempt-log.js';

export interface ListAttemptsInput {
  readonly scope: Scope;
  /** As it stands in the path; it may be anything. */
  readonly accountId: string;
  readonly page: PageRequest;
}

@Injectable()
export class ListAttempts {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly log: AttemptLog,
  ) {}

  /** Newest first. @throws account_not_allowed */
  async execute({ scope, accountId, page }: ListAttemptsInput): Promise<Page<LoggedAttempt>> {
    return this.log.page(await this.accounts.narrow(scope, accountId), page);
  }
}
