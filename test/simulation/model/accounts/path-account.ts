import {
  accountOf,
  open,
  organizationOf,
  refused,
  VALID,
  type Heard,
  type Verdict,
} from '../exchange/heard.js';
import type { Known } from '../known/known.js';

/** An account in a path is the caller's own: any other is refused alike, whether it exists or not. */
export function pathAccountVerdict(heard: Heard, known: Known): Verdict {
  const named = heard.params.account ?? '';
  const limit = accountOf(heard);
  if (limit !== undefined && limit !== named) {
    return refused(
      'an account key may name its own account only',
      'account_not_allowed',
      'organization_scope_required',
    );
  }
  const account = known.accounts.get(named);
  if (account === undefined) return open('account_not_allowed', 'not_found', 'validation_failed');
  if (account.organizationId !== organizationOf(heard)) {
    return refused('the account is another organization’s', 'account_not_allowed', 'not_found');
  }
  const { deleted } = account;
  if (deleted === undefined) return VALID;
  const isSure = deleted.isCertain && deleted.from < heard.exchange.sentAt;
  return isSure
    ? refused('the account is deleted', 'account_not_allowed', 'not_found')
    : open('account_not_allowed', 'not_found', 'state_conflict');
}
