import { stateConflict } from '#shared/kernel/domain-error.js';
import { CheckoutEnded } from '../../domain/requests/asset-change-rule.js';
import { isEnded } from '../../domain/requests/status.js';
import type { CheckoutView } from './payment-request-view.js';

/** @throws state_conflict where nothing is to be paid any more */
export function requirePayable({ status, selected, expiresAt }: CheckoutView, now: Date): void {
  if (isEnded(status)) throw new CheckoutEnded();
  if (selected !== undefined && selected.receivedAmount >= selected.amount)
    throw stateConflict('This checkout is paid and awaits confirmations. Do not pay again.');
  // Not decided yet, but a transfer that sets out now may come too late.
  if (now >= expiresAt) throw new CheckoutEnded();
}
