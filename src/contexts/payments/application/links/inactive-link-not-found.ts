import { DomainError, NotFoundWithoutGuess } from '#shared/kernel/domain-error.js';

/** The one answer to codes that are unknown, malformed or of links that are switched off. */
export function linkNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'No such payment link. It may have been switched off: ask the merchant for a new one.',
  );
}

/** What cannot be done before the payer has a session. */
export function linkNotOpened(): DomainError {
  return new NotFoundWithoutGuess(
    'not_found',
    'not_found',
    'This payment link was not opened yet. Open it by POST first, and send the cookie that it sets.',
  );
}
