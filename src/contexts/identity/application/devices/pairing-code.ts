import { randomInt } from 'node:crypto';
import { DomainError } from '#shared/kernel/domain-error.js';

const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const CODE_LENGTH = 8;

const PAIRING_CODE_INVALID = 'pairing_code_invalid';

export const PAIRING_CODE_VALID_MINUTES = 10;
export const MAX_DEVICES_PER_POINT_OF_SALE = 50;

/** About 40 random bits, enough for ten minutes under a shared limit of attempts. */
export function newPairingCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}

export function normalizePairingCode(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/** The same error for an unknown, used or expired code. */
export function pairingCodeInvalid(): DomainError {
  return new DomainError(
    'not_found',
    PAIRING_CODE_INVALID,
    'This pairing code is not valid. A code works once and expires after ten minutes. Request a new code.',
  );
}

export function isPairingCodeInvalid(error: unknown): boolean {
  return error instanceof DomainError && error.code === PAIRING_CODE_INVALID;
}
