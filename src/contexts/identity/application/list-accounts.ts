import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../shared/kernel/page.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import type { Account } from '../domain/account.js';
import { Accounts } from './accounts.js';

@Injectable()
export class ListAccounts {
  constructor(private readonly accounts: Accounts) {}

  execute(scope: Scope, page: PageRequest): Promise<Page<Account>> {
    return this.accounts.list(scope, page);
  }
}
