import { DomainError } from '../../../shared/kernel/domain-error.js';

export function checkoutEnded(): DomainError {
  return new DomainError(
    'conflict',
    'state_conflict',
    'This checkout has ended. Ask the merchant for a new one; do not pay to its address any more.',
  );
}

export function paymentSeen(): DomainError {
  return new DomainError(
    'conflict',
    'state_conflict',
    'A payment to this checkout was seen already, so the asset can no longer be changed. Pay what is missing in the same one.',
  );
}
