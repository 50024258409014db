import { DomainError, notFound, stateConflict } from '#shared/kernel/domain-error.js';
import type { RefundStatus } from '../../contract/refund-events.js';

export function notPending(status: RefundStatus): DomainError {
  return stateConflict(`This refund is ${status}. Only one that is pending can be changed.`);
}

export function ended(status: RefundStatus): DomainError {
  return stateConflict(`This refund is ${status}, and stays so.`);
}

/** The end of a refund whose payment was reversed, for the merchant. */
export const PAYMENT_REVERSED =
  'The payment was reversed: the chain no longer shows the money that this refund would have paid back. Nothing was sent.';

export function paymentReversed(): DomainError {
  return stateConflict(
    'The payment was reversed: refunds of this payment request come to more than it still has. This one is not paid.',
  );
}

export function beingPaid(): DomainError {
  return stateConflict(
    'This refund is being paid: its transaction has a nonce of the float, and only the chain decides about it now.',
  );
}

export function notClaimed(): DomainError {
  return stateConflict('The payer has not named an address yet. Approve the refund once that is done.');
}

/** The same as of a claim that never was. */
export function claimEnded(): DomainError {
  return notFound('refund');
}

export function refundByMerchant(network: string): DomainError {
  return new DomainError(
    'conflict',
    'refund_by_merchant',
    `What is received on ${network} is in your own wallet, so the service cannot refund it. Pay the payer from your wallet, then name ` +
      'that transaction as paid_transaction_hash and the address that it pays as refund_to_address.',
  );
}

export function paysAnotherRefund(): DomainError {
  return stateConflict(
    'This transaction pays another refund to the same address. Name one that pays this one.',
  );
}

/** @param address null where the float is not set up yet @param missing with its symbol */
export function floatInsufficient(network: string, address: string | null, missing: string): DomainError {
  return new DomainError(
    'conflict',
    'refund_float_insufficient',
    address === null
      ? `The refund float on ${network} lacks ${missing}, and its address is being set up. Ask again in some seconds.`
      : `The refund float ${address} on ${network} lacks ${missing}. Send it there, wait until that is final, then ask again.`,
  );
}
