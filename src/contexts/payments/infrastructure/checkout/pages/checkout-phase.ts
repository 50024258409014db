import type { CheckoutPageModel } from './checkout-page-model.js';
import type { EndedStatus } from '#contexts/payments/domain/requests/status.js';

/** In `closed`, the payer should send nothing, but the outcome is still open. */
export type CheckoutPhase =
  | 'choosing'
  | 'waiting'
  | 'partlyPaid'
  | 'confirming'
  | 'closed'
  | 'completed'
  | 'overpaid'
  | 'underpaid'
  | 'expired'
  | 'failed';

export type EndedCheckoutPhase = EndedStatus & CheckoutPhase;

export function checkoutPhaseOf(model: CheckoutPageModel): CheckoutPhase {
  const { status, selected } = model;
  if (status === 'underpaid' && model.fulfilled) return 'completed';
  if (status !== 'pending' && status !== 'created' && status !== 'processing') return status;
  if (status === 'processing' && selected !== undefined && selected.missingUnits <= 0n) return 'confirming';
  if (model.now >= model.expiresAt) return 'closed';
  if (selected === undefined) return 'choosing';
  // A seen payment may have disappeared through a reorganization or a replacement by the payer.
  return status === 'processing' && selected.receivedAmount !== '0' ? 'partlyPaid' : 'waiting';
}

/** Does not return if an address was displayed but no payment seen: funds may have been sent. */
export function returnsAutomatically(phase: CheckoutPhase, model: CheckoutPageModel): boolean {
  if (phase === 'expired') return model.selected === undefined;
  return isPaidPhase(phase);
}

export function isPaidPhase(phase: CheckoutPhase): boolean {
  return phase === 'completed' || phase === 'overpaid';
}

export function isPayablePhase(phase: CheckoutPhase): boolean {
  return phase === 'choosing' || phase === 'waiting' || phase === 'partlyPaid';
}

export function isEndedPhase(phase: CheckoutPhase): phase is EndedCheckoutPhase {
  return !isPayablePhase(phase) && phase !== 'confirming' && phase !== 'closed';
}

/** The payment is complete but its newest transfer is in no block yet. */
export function waitsForBlock(phase: CheckoutPhase, { selected }: CheckoutPageModel): boolean {
  return phase === 'confirming' && selected?.isPending === true;
}
