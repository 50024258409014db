import { invalidField } from './domain-error.js';

/** One visible line, trimmed. @param max in Unicode code points @throws DomainError naming the field */
export function requiredText(field: string, text: string, max: number): string {
  const line = text.trim();
  if (line === '' || Array.from(line).length > max || /[\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(line)) {
    throw invalidField(field, 'text', `must be 1 to ${max} characters without control characters.`);
  }
  return line;
}

export function optionalText(field: string, text: string | undefined, max: number): string | undefined {
  return text === undefined ? undefined : requiredText(field, text, max);
}

const MAX_URL_LENGTH = 2048;

/**
 * An absolute `https://` address without user name or password, at most 2,048 characters; undefined for anything
 * else. White space, backslashes and unprintable characters are refused, because URL parsers drop or rewrite them.
 */
export function readHttpsUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH || !/^https:\/\/[^/\s\\\p{C}][^\s\\\p{C}]*$/iu.test(text))
    return undefined;
  // An empty user name leaves no trace in the parsed address.
  if (/^https:\/\/[^/?#]*@/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.hostname === '' ? undefined : url;
}

/** Embeddings, overrides and isolates: a name must not reverse the text around it. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

export function withoutDirectionControls(text: string): string {
  return text.replace(DIRECTION_CONTROLS, '');
}

/** Text that people have written, as a part of a mail: it must not look like further lines of it. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
