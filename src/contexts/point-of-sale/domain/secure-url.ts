import { invalidField } from '#shared/kernel/domain-error.js';
import { readHttpsUrl } from '#shared/kernel/https-url.js';

/** An absolute `https://` address without user name or password, as it was given. @throws DomainError */
export function secureUrl(field: string, text: string): string {
  if (readHttpsUrl(text) === undefined) {
    throw invalidField(field, 'https_url', 'must be an https:// address without user name or password.');
  }
  return text;
}

/** Scheme, host and port alone, as a content security policy names a site. @throws DomainError */
export function secureOrigin(field: string, text: string): string {
  if (!isSecureOrigin(text)) {
    throw invalidField(field, 'https_origin', 'must be a site like https://shop.example, without a path.');
  }
  return new URL(text).origin;
}

export function isSecureOrigin(text: string): boolean {
  const url = readHttpsUrl(text);
  return url !== undefined && (text === url.origin || text === `${url.origin}/`);
}
