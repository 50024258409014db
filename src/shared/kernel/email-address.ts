import { invalidField } from './domain-error.js';

/** Rejects addresses with non-ASCII letters before the @, because few mail servers accept them (RFC 6531). */
const EMAIL_PATTERN = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const DOMAIN_PATTERN = /^[\p{L}\p{M}\p{N}.-]+$/u;
export const MAX_EMAIL_LENGTH = 254;

/** @returns lower case, an internationalized domain in ASCII, safe in mail headers; undefined if invalid */
export function parseEmail(text: string): string | undefined {
  const [local = '', domain = '', ...more] = text.trim().toLowerCase().split('@');
  if (more.length > 0 || !DOMAIN_PATTERN.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  const email = `${local}@${/^[a-z0-9.-]+$/.test(domain) ? domain : new URL(`http://${domain}`).hostname}`;
  return email.length <= MAX_EMAIL_LENGTH && EMAIL_PATTERN.test(email) && !email.includes('..')
    ? email
    : undefined;
}

/** Only converts an invalid address, which no record can contain, to lower case. */
export function normalizeEmailForLookup(text: string): string {
  return parseEmail(text) ?? text.trim().toLowerCase();
}

/** @throws DomainError naming the field if the address is invalid */
export function requireEmail(text: string, field = 'email'): string {
  const email = parseEmail(text);
  if (email === undefined)
    throw invalidField(
      field,
      'email',
      'must be an e-mail address with plain letters before the @, such as "anna@shop.example".',
    );
  return email;
}
