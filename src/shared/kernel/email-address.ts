import { invalidField } from './domain-error.js';

const EMAIL = /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/u;
export const MAX_EMAIL_LENGTH = 254;

/** @returns one address as it is stored: in small letters, and nothing in a mail's headers can take it for more; else undefined */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) && !email.includes('..') ? email : undefined;
}

/** @returns as `readEmail` does @throws DomainError naming the field */
export function emailFrom(text: string, field = 'email'): string {
  const email = readEmail(text);
  if (email === undefined)
    throw invalidField(field, 'email', 'must be an e-mail address, like "anna@shop.example".');
  return email;
}
