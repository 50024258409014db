import { DomainError, notFound, stateConflict } from '#shared/kernel/domain-error.js';
import type { RefundStatus } from '../../contract/refund-events.js';

export function refundNotPendingError(status: RefundStatus): DomainError {
  return stateConflict(`This refund is ${status}. Only a pending refund can be changed.`);
}

export function refundEndedError(status: RefundStatus): DomainError {
  return stateConflict(`This refund is ${status} and can no longer be changed.`);
}

export const PAYMENT_REVERSED_MESSAGE =
  'The payment was reversed: it is no longer on the chain. Nothing was sent.';

export function paymentReversedError(): DomainError {
  return stateConflict(
    'The payment was reversed, so the remaining amount does not cover this refund. The refund is not paid.',
  );
}

export function refundBeingPaidError(): DomainError {
  return stateConflict('This refund is being paid and can no longer be changed. Wait for its transaction.');
}

export function refundNotClaimedError(): DomainError {
  return stateConflict(
    'The payer has not entered an address yet. Approve the refund after the payer has entered one.',
  );
}

/** @throws state_conflict unless the refund waits for the payer's address */
export function refuseClaimReplacement({ status, to }: { status: RefundStatus; to?: string }): void {
  if (status !== 'pending') throw refundNotPendingError(status);
  if (to === undefined) return;
  throw stateConflict('The payer has already entered an address, so the link can no longer be replaced.');
}

/** The same error as for a claim that never existed, so that neither can be told apart. */
export function claimExpiredError(): DomainError {
  return notFound('refund');
}

export function refundByMerchantError(network: string): DomainError {
  return new DomainError(
    'conflict',
    'refund_by_merchant',
    `Payments on ${network} go to your own wallet, so the service cannot refund them. Send the refund from your wallet, then send ` +
      'the hash of that transaction as paid_transaction_hash and the address that it pays as refund_to_address.',
  );
}

export function transactionPaysAnotherRefundError(): DomainError {
  return stateConflict(
    'This transaction already pays another refund to the same address. Send the one that pays this refund.',
  );
}

export function floatInsufficientError(
  network: string,
  address: string | null,
  missing: string,
): DomainError {
  return new DomainError(
    'conflict',
    'refund_float_insufficient',
    address === null
      ? `The refund float on ${network} lacks ${missing}, and its address is being set up. Repeat the request in a few seconds.`
      : `The refund float ${address} on ${network} lacks ${missing}. Send this amount to that address, wait until the transfer is final, then repeat the request.`,
  );
}
