import type { CheckoutPageModel } from './checkout-page-model.js';
import type { EndedStatus } from '#contexts/payments/domain/requests/status.js';

/** In `closed`, the payer should send nothing, but the outcome is still open. */
export type Phase =
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

export type EndedPhase = EndedStatus & Phase;

export function phaseOf(model: CheckoutPageModel): Phase {
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
export function returnsAutomatically(phase: Phase, model: CheckoutPageModel): boolean {
  if (phase === 'expired') return model.selected === undefined;
  return isPaid(phase);
}

export function isPaid(phase: Phase): boolean {
  return phase === 'completed' || phase === 'overpaid';
}

export function isPayable(phase: Phase): boolean {
  return phase === 'choosing' || phase === 'waiting' || phase === 'partlyPaid';
}

export function isEnded(phase: Phase): phase is EndedPhase {
  return !isPayable(phase) && phase !== 'confirming' && phase !== 'closed';
}

/** The payment is complete but its newest transfer is in no block yet. */
export function waitsForBlock(phase: Phase, { selected }: CheckoutPageModel): boolean {
  return phase === 'confirming' && selected?.isPending === true;
}
