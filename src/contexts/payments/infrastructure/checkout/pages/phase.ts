import type { CheckoutPageModel } from './checkout-page-model.js';
import type { EndedStatus } from '#contexts/payments/domain/requests/status.js';

/** The phase says what the payer can do or wait for. After `closed` nothing should be sent, though nothing is decided yet. */
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
  // What was seen can be gone again: a reorganisation or a payer's own replacement took it back.
  return status === 'processing' && selected.receivedAmount !== '0' ? 'partlyPaid' : 'waiting';
}

/**
 * True where the page goes back to the merchant by itself. It does not where the payer should first read about money that
 * may have been sent: once an address was shown, something may have arrived there.
 */
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

/** A payment was seen and its newest part is in no block yet. */
export function waitsForBlock(phase: Phase, { selected }: CheckoutPageModel): boolean {
  return phase === 'confirming' && selected?.isPending === true;
}
