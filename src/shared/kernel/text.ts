import { invalidField } from './domain-error.js';

/**
 * Embeddings, overrides and isolates, as a part of a character class: a text must not reverse the text around it. Input with
 * them is refused; pages, mails and tokens remove them from older texts. Scripts of pages have the same list.
 */
export const DIRECTION_CONTROLS = String.raw`\u202a-\u202e\u2066-\u2069`;
const UNPRINTABLE = new RegExp(String.raw`[\p{Cc}\p{Surrogate}\u2028\u2029${DIRECTION_CONTROLS}]`, 'u');
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/**
 * True for one line of text with something visible in it: no control characters, line separators, direction controls or lone
 * surrogates. @param min in Unicode code points, like `max`
 */
export function isLine(text: string, min: number, max: number): boolean {
  // A code point takes at most two units, so a longer text need not be counted.
  if (text.length > 2 * max || UNPRINTABLE.test(text) || !VISIBLE.test(text)) return false;
  const length = Array.from(text).length;
  return length >= min && length <= max;
}

/** One visible line, trimmed. @param max in Unicode code points @throws DomainError naming the field */
export function requiredText(field: string, text: string, max: number): string {
  const line = text.trim();
  if (!isLine(line, 1, max))
    throw invalidField(
      field,
      'text',
      `must be one line of 1 to ${max} characters, without control characters or text-direction marks.`,
    );
  return line;
}

export function optionalText(field: string, text: string | undefined, max: number): string | undefined {
  return text === undefined ? undefined : requiredText(field, text, max);
}

const MAX_URL_LENGTH = 2048;

/**
 * An absolute URL that begins with a scheme and `://`; undefined for anything else. White space, backslashes and unprintable
 * characters are refused, because URL parsers drop or rewrite them.
 */
export function readAbsoluteUrl(text: string): URL | undefined {
  const isPlain = /^[a-z][a-z0-9+.-]*:\/\/[^/\s\\\p{C}][^\s\\\p{C}]*$/iu.test(text);
  return isPlain && URL.canParse(text) ? new URL(text) : undefined;
}

/** True for a user name or password in an absolute URL; an empty user name leaves no trace in the parsed one. */
export function namesUser(url: string): boolean {
  return /^[^:]+:\/\/[^/?#]*@/.test(url);
}

/** An absolute `https://` address without user name or password, at most 2,048 characters; undefined for anything else. */
export function readHttpsUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH || namesUser(text)) return undefined;
  const url = readAbsoluteUrl(text);
  return url?.protocol === 'https:' ? url : undefined;
}

/** A site: scheme, host and port alone. @returns as browsers spell it; undefined for a URL with anything else, and for other texts */
export function readOrigin(text: string): string | undefined {
  const url = /[?#@]/.test(text) ? undefined : readAbsoluteUrl(text);
  return url?.pathname === '/' ? url.origin : undefined;
}

const EACH_DIRECTION_CONTROL = new RegExp(`[${DIRECTION_CONTROLS}]`, 'g');

export function withoutDirectionControls(text: string): string {
  return text.replace(EACH_DIRECTION_CONTROL, '');
}

/** Text that people have written, as a part of a mail: it must not look like further lines of it. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
