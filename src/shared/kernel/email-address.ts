import { invalidField } from './domain-error.js';

/** Mail servers that take other letters before the @ are rare (RFC 6531), so such an address would reach nobody. */
const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
/** An internationalized domain, of letters, digits, dots and hyphens. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
export const MAX_EMAIL_LENGTH = 254;

/**
 * @returns one address as it is stored: in small letters, an internationalized domain in ASCII (`kunde@xn--bcher-kva.example`), and
 * nothing in a mail's headers can take it for more; else undefined
 */
export function readEmail(text: string): string | undefined {
  const [local = '', domain = '', ...more] = text.trim().toLowerCase().split('@');
  if (more.length > 0 || !DOMAIN.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  const email = `${local}@${/^[a-z0-9.-]+$/.test(domain) ? domain : new URL(`http://${domain}`).hostname}`;
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) && !email.includes('..') ? email : undefined;
}

/** An address by which something stored is found: as it is stored, or in small letters where it can be no stored one. */
export function soughtEmail(text: string): string {
  return readEmail(text) ?? text.trim().toLowerCase();
}

/** @returns as `readEmail` does @throws DomainError naming the field */
export function emailFrom(text: string, field = 'email'): string {
  const email = readEmail(text);
  if (email === undefined)
    throw invalidField(
      field,
      'email',
      'must be an e-mail address with plain letters before the @, such as "anna@shop.example".',
    );
  return email;
}
