import { invalidField } from '#shared/kernel/domain-error.js';

/** OWASP ASVS 5, 6.2.1: eight at least, fifteen advised; 6.2.9: 64 and more are taken. In Unicode code points. */
export const MIN_PASSWORD_LENGTH = 8;
export const ADVISED_PASSWORD_LENGTH = 15;
const MAX_PASSWORD_LENGTH = 200;
/** A password has at least this many different characters. */
const MIN_DIFFERENT_CHARACTERS = 4;
/** Words that belong to this service (OWASP ASVS 5, 6.1.2), beside the person's address and their organization. */
const OWN_WORDS = ['payment', 'payments', 'payment collection', 'dashboard', 'merchant', 'crypto'];

/** The person who chooses the password. */
export interface PasswordOwner {
  readonly email: string;
  readonly organizationName: string;
}

/**
 * No rules of composition (OWASP ASVS 5, 6.2.5). The text is taken as it was typed.
 * @param isCommon whether it is on the list of common ones, in small letters
 * @throws DomainError on `password`
 */
export function demandPassword(
  password: string,
  { email, organizationName }: PasswordOwner,
  isCommon: (text: string) => boolean,
): string {
  const length = Array.from(password).length;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    const range = `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH}`;
    throw invalidField(
      'password',
      'length',
      `must have ${range} characters. We recommend at least ${ADVISED_PASSWORD_LENGTH}.`,
    );
  }
  const small = password.toLowerCase();
  if (isCommon(small) || new Set(small).size < MIN_DIFFERENT_CHARACTERS) throw tooCommon('is too common.');
  const guessed = [email, email.split('@')[0]!, organizationName, ...OWN_WORDS].map(lettersOf);
  if (guessed.includes(lettersOf(password)))
    throw tooCommon(
      'is too easy to guess: it is your e-mail address, your organization or a word of this service, ' +
        'with only digits or symbols added.',
    );
  return password;
}

/** The letters of a text without digits, signs and spaces; the whole text where it has no letters. */
function lettersOf(text: string): string {
  const small = text.toLowerCase();
  return small.replace(/[^\p{L}]/gu, '') || small;
}

function tooCommon(sentence: string) {
  return invalidField('password', 'common', `${sentence} Choose another one, such as several words.`);
}
