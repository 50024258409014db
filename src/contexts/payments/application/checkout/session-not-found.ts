import { DomainError } from '../../../../shared/kernel/domain-error.js';

/** The one answer to ids that are unknown, malformed or of sessions that ended long ago. */
export function sessionNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'No such checkout. It may have ended: ask the merchant for a new one.',
  );
}

/** A `not_found` answer of which the caller has guessed nothing: it does not count against the caller. */
export class NothingGuessed extends DomainError {}
