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
  /** The merchant's own id for the account. Unique in the organization. */
  readonly externalId: string | null;
  readonly name: string;
  /** Null: underpayments are not accepted. */
  readonly underpaymentTolerance: UnderpaymentTolerance | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const MAX_NAME_LENGTH = 200;
export const MAX_EXTERNAL_ID_LENGTH = 128;

/** Absent fields become null. */
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

export function auditableAccount({ name, externalId, underpaymentTolerance }: Account): object {
  return { name, external_id: externalId, underpayment_tolerance: underpaymentTolerance };
}

/** A deleted account counts as not found. Its external id stays taken, because history refers to accounts by it. */
export abstract class Accounts extends AccountDirectory {
  /** Requires a unit of work. @throws state_conflict if the organization already uses that external id */
  abstract add(account: Account): Promise<void>;
  /** @throws not_found */
  abstract find(owner: AccountScope): Promise<Account>;
  /** Locks the row until the unit of work ends. @throws not_found */
  abstract lock(owner: AccountScope): Promise<Account>;
  /**
   * Stores the fields that callers may set. The caller must have locked the account, and the organization too, so that no concurrent change
   * takes the external id. @throws state_conflict if another account of the organization has that external id
   */
  abstract save(account: Account): Promise<void>;
  /**
   * Locks the account exclusively until the unit of work ends. Waits for transactions that hold a shared lock
   * (`identity.public_hold_account`), and blocks new ones, so no object can be created in the account. @throws not_found
   */
  abstract lockAlone(owner: AccountScope): Promise<Account>;
  /** The account must be locked. */
  abstract delete(owner: AccountScope, at: Date): Promise<void>;
  /** Oldest first. An account-level scope sees only its own account. */
  abstract list(scope: Scope, page: PageRequest): Promise<Page<Account>>;
}
