import { invalidField } from '../../../shared/kernel/domain-error.js';

const LONGEST = 2048;

/** An absolute `https://` address without user name or password, as it was given. @throws DomainError */
export function secureUrl(field: string, text: string): string {
  if (parsed(text) === undefined) {
    throw invalidField(field, 'https_url', 'must be an https:// address without user name or password.');
  }
  return text;
}

/** Scheme, host and port alone, as a content security policy names a site. @throws DomainError */
export function secureOrigin(field: string, text: string): string {
  const url = parsed(text);
  if (url === undefined || (text !== url.origin && text !== `${url.origin}/`)) {
    throw invalidField(field, 'https_origin', 'must be a site like https://shop.example, without a path.');
  }
  return url.origin;
}

function parsed(text: string): URL | undefined {
  if (text.length > LONGEST || !/^https:\/\/[^\s\\\p{C}]+$/iu.test(text) || !URL.canParse(text))
    return undefined;
  const url = new URL(text);
  const isBare = url.username === '' && url.password === '';
  return url.protocol === 'https:' && url.hostname !== '' && isBare ? url : undefined;
}
