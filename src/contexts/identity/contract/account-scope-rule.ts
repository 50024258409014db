import { DomainError, notFound } from '#shared/kernel/domain-error.js';
import { isUuid, type AccountId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';

export interface AccountScope extends TenantScope {
  readonly accountId: AccountId;
}

/**
 * @throws account_not_allowed, the same for a foreign, missing or malformed account
 * (docs/reference/authentication.md, "Scope")
 */
export async function scopeOfRequestedAccount(
  { organizationId, accountId: own }: TenantScope,
  named: string,
  isOfOrganization: (account: AccountId) => Promise<boolean>,
): Promise<AccountScope> {
  const accountId = named.toLowerCase() as AccountId;
  if (own === null && isUuid(accountId) && (await isOfOrganization(accountId)))
    return { organizationId, accountId };
  throw accountNotAllowedError();
}

/**
 * Does not check that the account exists. @throws account_not_allowed for an account-level credential of another
 * account; not_found if the id is not a UUID
 */
export function scopeOfPathAccount(
  { organizationId, accountId: own }: TenantScope,
  named: string,
): AccountScope {
  const accountId = named.toLowerCase() as AccountId;
  if (own !== null && accountId !== own) throw accountNotAllowedError();
  if (!isUuid(accountId)) throw notFound('account');
  return { organizationId, accountId };
}

export function accountNotAllowedError(): DomainError {
  return new DomainError(
    'forbidden',
    'account_not_allowed',
    'This credential cannot be used for this account. Only an organization-level credential can specify an ' +
      'account, and the account must belong to its organization.',
  );
}
