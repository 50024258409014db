import { Injectable } from '@nestjs/common';
import type { Scope } from '#shared/kernel/scope.js';
import { accountInPath } from '../../contract/account-scope-rule.js';
import { type Account, Accounts } from '../../domain/accounts/account.js';

@Injectable()
export class ReadAccount {
  constructor(private readonly accounts: Accounts) {}

  /** @param account as the caller spelled it @throws account_not_allowed, not_found */
  async execute(scope: Scope, account: string): Promise<Account> {
    return this.accounts.find(accountInPath(scope, account));
  }
}
