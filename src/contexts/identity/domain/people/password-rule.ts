import { invalidField } from '#shared/kernel/domain-error.js';

/** Code points. OWASP ASVS 5 requires at least 8 and recommends 15 (6.2.1). */
export const MIN_PASSWORD_LENGTH = 8;
export const ADVISED_PASSWORD_LENGTH = 15;
const MAX_PASSWORD_LENGTH = 200;
const MIN_DIFFERENT_CHARACTERS = 4;
const SERVICE_WORDS = ['payment', 'payments', 'payment collection', 'dashboard', 'merchant', 'crypto'];

export interface PasswordOwner {
  readonly email: string;
  readonly organizationName: string;
}

/**
 * No rules about kinds of characters (OWASP ASVS 5, 6.2.5). @param isCommon gets the password in lower case @throws
 * DomainError on `password`
 */
export function requireAcceptablePassword(
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
  const guessed = [email, email.split('@')[0]!, organizationName, ...SERVICE_WORDS].map(lettersOf);
  if (guessed.includes(lettersOf(password)))
    throw tooCommon(
      'is too easy to guess: it is your e-mail address, your organization or a word of this service, ' +
        'with only digits or symbols added.',
    );
  return password;
}

/** The full text if it has no letters. */
function lettersOf(text: string): string {
  const small = text.toLowerCase();
  return small.replace(/[^\p{L}]/gu, '') || small;
}

function tooCommon(sentence: string) {
  return invalidField('password', 'common', `${sentence} Choose another one, such as several words.`);
}
