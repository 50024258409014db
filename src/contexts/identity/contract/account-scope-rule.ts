import { DomainError, notFound } from '#shared/kernel/domain-error.js';
import { isUuid, type AccountId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';

export interface AccountScope extends Scope {
  readonly accountId: AccountId;
}

/**
 * The scope of one account that a caller names: an account of its organization, and only for a credential of the whole
 * organization. Text that is no id cannot be anybody's account, so it is refused like a foreign one.
 * @param named any text, spelled by the caller
 * @throws account_not_allowed, the same for an account of others and one that does not exist (docs/reference/authentication.md, "Scope")
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
 * The account that a caller names in the path (`/v1/account/{accountID}`). This function does not look whether it exists:
 * an organization's credential gets `not_found` for an account of others, as for every other thing.
 * @param named any text, spelled by the caller
 * @throws account_not_allowed for a credential of one account that names any other, existing or not; not_found for no id
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
