import { DomainError } from '../../../shared/kernel/domain-error.js';

/** Says the same of an account of others and of one that does not exist (decisions.md section 1). */
export function accountNotAllowed(): DomainError {
  return new DomainError(
    'forbidden',
    'account_not_allowed',
    'This credential may not name this account. Only a credential of the whole organization may name accounts, its own.',
  );
}
