import { DomainError } from '../../../../shared/kernel/domain-error.js';

/** Classes of their own, so that the hosted page can recognise them and show the state instead of an error. */
export class CheckoutEnded extends DomainError {}
export class PaymentSeen extends DomainError {}

export function checkoutEnded(): DomainError {
  return new CheckoutEnded(
    'conflict',
    'state_conflict',
    'This checkout has ended. Ask the merchant for a new one; do not pay to its address any more.',
  );
}

export function paymentSeen(): DomainError {
  return new PaymentSeen(
    'conflict',
    'state_conflict',
    'A payment to this checkout was seen already, so the asset can no longer be changed. Pay what is missing in the same one.',
  );
}
