import { DomainError, notFound } from '#shared/kernel/domain-error.js';
import { isUuid, type AccountId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';

export interface AccountScope extends Scope {
  readonly accountId: AccountId;
}

/**
 * The scope of one account that a caller names: an account of its organization, and only for a credential of the whole
 * organization. Text that is no id cannot be anybody's account, so it is refused like a foreign one.
 * @param named as the caller spelled it; it may be anything
 * @throws account_not_allowed, the same for an account of others and one that does not exist (docs/api/authentication.md, "Scope")
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
 * The account that a caller names as the thing itself (`/v1/account/{accountID}`). An organization's credential is told
 * `not_found` of what is not its own, as of every other thing; whether the account exists is for the caller to ask.
 * @param named as the caller spelled it; it may be anything
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
    'This credential may not name this account. Only a credential of the whole organization may name accounts, its own.',
  );
}
