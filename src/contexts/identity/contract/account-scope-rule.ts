import { DomainError, notFound } from '#shared/kernel/domain-error.js';
import { isUuid, type AccountId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';

export interface AccountScope extends Scope {
  readonly accountId: AccountId;
}

/**
 * Narrows an organization-level scope to an account that the caller names. Fails for a credential of one account. Text that is not a UUID
 * gets the same error as another organization's account.
 * @param named account id as the caller sent it
 * @throws account_not_allowed, the same for another organization's account and for a missing one (docs/reference/authentication.md,
 * "Scope")
 */
export async function scopeOfNamedAccount(
  { organizationId, accountId: own }: Scope,
  named: string,
  isOfOrganization: (account: AccountId) => Promise<boolean>,
): Promise<AccountScope> {
  const accountId = named.toLowerCase() as AccountId;
  if (own === null && isUuid(accountId) && (await isOfOrganization(accountId)))
    return { organizationId, accountId };
  throw accountNotAllowed();
}

/**
 * Returns the account that the caller names in the path (`/v1/account/{accountID}`). Does not check that it exists: an organization-level
 * credential later gets `not_found`, as for any other object.
 * @param named account id as the caller sent it
 * @throws account_not_allowed if a credential of one account names another, existing or not; not_found if it is not a UUID
 */
export function accountInPath({ organizationId, accountId: own }: Scope, named: string): AccountScope {
  const accountId = named.toLowerCase() as AccountId;
  if (own !== null && accountId !== own) throw accountNotAllowed();
  if (!isUuid(accountId)) throw notFound('account');
  return { organizationId, accountId };
}

export function accountNotAllowed(): DomainError {
  return new DomainError(
    'forbidden',
    'account_not_allowed',
    'This credential cannot be used for this account. Only an organization-level credential can specify an ' +
      'account, and the account must belong to its organization.',
  );
}
