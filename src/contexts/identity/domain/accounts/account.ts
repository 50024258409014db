import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { optionalText, requiredText } from '#shared/kernel/text.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';
import { AccountDirectory } from '../../contract/account-directory.js';
import type { AccountScope } from '../../contract/account-scope-rule.js';
import { readTolerance, type ToleranceInput } from './underpayment-tolerance-rule.js';

export interface Account {
  readonly id: AccountId;
  readonly organizationId: OrganizationId;
  /** The merchant's own name for it, unique in the organization. */
  readonly externalId: string | null;
  readonly name: string;
  /** Null: no shortfall is accepted. */
  readonly underpaymentTolerance: UnderpaymentTolerance | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const MAX_NAME_LENGTH = 200;
export const MAX_EXTERNAL_ID_LENGTH = 128;

/** The fields of an account that callers may set. One that is absent is none. */
export interface AccountInput {
  readonly name: string;
  readonly externalId?: string | undefined;
  readonly underpaymentTolerance?: ToleranceInput | undefined;
}

/** @throws DomainError naming the field */
export function accountFields(input: AccountInput) {
  return {
    name: requiredText('name', input.name, MAX_NAME_LENGTH),
    externalId: optionalText('external_id', input.externalId, MAX_EXTERNAL_ID_LENGTH) ?? null,
    underpaymentTolerance: readTolerance(input.underpaymentTolerance),
  };
}

/** The audit log keeps these values of an account. */
export function auditableAccount({ name, externalId, underpaymentTolerance }: Account): object {
  return { name, external_id: externalId, underpayment_tolerance: underpaymentTolerance };
}

/** A deleted account is not found. Its external id stays taken, since history names accounts by it. */
export abstract class Accounts extends AccountDirectory {
  /** Refuses to run outside a unit of work. @throws state_conflict where the organization has that external id already */
  abstract add(account: Account): Promise<void>;
  /** @throws not_found */
  abstract find(owner: AccountScope): Promise<Account>;
  /** Row-locked until the unit of work ends. @throws not_found */
  abstract lock(owner: AccountScope): Promise<Account>;
  /**
   * Stores what callers may set of a locked account. The caller has locked the organization too, so that no other account
   * takes the external id meanwhile. @throws state_conflict where another account of the organization has that external id
   */
  abstract save(account: Account): Promise<void>;
  /**
   * Locks like `lock`, and from then on nothing new can be built on the account: waits for those that hold it
   * (`identity.public_hold_account`), and keeps new ones waiting until the unit of work ends. @throws not_found
   */
  abstract lockAlone(owner: AccountScope): Promise<Account>;
  /** Deletes an account that is locked. */
  abstract delete(owner: AccountScope, at: Date): Promise<void>;
  /** Oldest first; an account's own scope sees that one. */
  abstract list(scope: Scope, page: PageRequest): Promise<Page<Account>>;
}
