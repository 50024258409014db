import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { AccountScope } from '#contexts/identity/contract/account-scope-rule.js';
import type { SettlementTermsRecord } from '../domain/settlement-terms.js';

/** Terms in force for an account. */
export interface TermsInForce extends SettlementTermsRecord {
  /** How often terms were set for that network and that owner (the account, or else the whole organization), these included. */
  readonly version: number;
}

export abstract class SettlementAddresses {
  /** One for each network that has any, by network: the account's own where it has any, else the organization's. */
  abstract inForce(account: AccountScope, page: PageRequest): Promise<Page<TermsInForce>>;
}
