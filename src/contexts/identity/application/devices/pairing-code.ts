import { randomInt } from 'node:crypto';
import { DomainError } from '#shared/kernel/domain-error.js';

/** Digits and letters without 0, 1, I, L and O, which people mistake for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 8;

const CODE_INVALID = 'pairing_code_invalid';

/** A code works so long. */
export const PAIRING_MINUTES = 10;
/** One point of sale has at most so many devices, those included that codes can still make. */
export const MAX_DEVICES = 50;

/** Some 40 random bits, which are valid for ten minutes, while all callers together have a limit of attempts. */
export function newPairingCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** The code as it was made, of what a person typed. */
export function pairingCodeTyped(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/** The same for a code that is unknown, was used, or has expired. */
export function pairingCodeInvalid(): DomainError {
  return new DomainError(
    'not_found',
    CODE_INVALID,
    'This pairing code is not valid. A code works once and expires after ten minutes. Request a new code.',
  );
}

export function isInvalid(error: unknown): boolean {
  return error instanceof DomainError && error.code === CODE_INVALID;
}
