import { invalidField } from '../../../../shared/kernel/domain-error.js';

/** OWASP ASVS 5, 6.2.1: eight at least, fifteen advised; 6.2.9: 64 and more are taken. In Unicode code points. */
export const SHORTEST_PASSWORD = 8;
export const ADVISED_PASSWORD = 15;
const LONGEST_PASSWORD = 200;
/** Shorter parts of an address are parts of many good passwords. */
const SHORTEST_PART = 4;

/**
 * No rules of composition (OWASP ASVS 5, 6.2.5). The text is taken as it was typed.
 * @param isCommon whether it is on the list of common ones, in small letters
 * @throws DomainError on `password`
 */
export function demandPassword(password: string, email: string, isCommon: (text: string) => boolean): string {
  const length = Array.from(password).length;
  if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
    const range = `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD}`;
    throw invalidField(
      'password',
      'length',
      `must have ${range} characters; ${ADVISED_PASSWORD} or more are advised.`,
    );
  }
  const small = password.toLowerCase();
  if (isCommon(small) || new Set(small).size < SHORTEST_PART)
    throw tooCommon('is one of those that are tried first.');
  const parts = [email, email.split('@')[0]!].filter((part) => part.length >= SHORTEST_PART);
  if (parts.some((part) => small === part)) throw tooCommon('is your e-mail address.');
  return password;
}

function tooCommon(sentence: string) {
  return invalidField('password', 'common', `${sentence} Choose another one, such as several words.`);
}
