import { randomBytes } from 'node:crypto';
import { DomainError } from '#shared/kernel/domain-error.js';

const BYTES = 24;
export const SESSION_ID = /^[A-Za-z0-9_-]{32}$/;

/** 192 random bits in base64url. The id alone lets its holder read and pay, so it is derived from nothing. */
export function newSessionId(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** The one answer to ids that are unknown, malformed or of sessions that ended long ago. */
export function sessionNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'No such checkout. It may have ended: ask the merchant for a new one.',
  );
}
