import { invalidField } from './domain-error.js';

/** Unicode direction controls could reverse the surrounding text. Browser scripts repeat this list. */
export const DIRECTION_CONTROLS = String.raw`\u202a-\u202e\u2066-\u2069`;
const UNPRINTABLE_CHARACTER = new RegExp(
  String.raw`[\p{Cc}\p{Surrogate}\u2028\u2029${DIRECTION_CONTROLS}]`,
  'u',
);
const VISIBLE_CHARACTER = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/**
 * Rejects control characters, line separators, direction controls and lone surrogates. @param min in Unicode code
 * points, like `max`
 */
export function isPrintableLine(text: string, min: number, max: number): boolean {
  // A code point has at most two UTF-16 units.
  if (text.length > 2 * max || UNPRINTABLE_CHARACTER.test(text) || !VISIBLE_CHARACTER.test(text))
    return false;
  const length = Array.from(text).length;
  return length >= min && length <= max;
}

/** @param max in Unicode code points @throws DomainError naming the field */
export function requireText(field: string, text: string, max: number): string {
  const line = text.trim();
  if (!isPrintableLine(line, 1, max))
    throw invalidField(
      field,
      'text',
      `must be one line of 1 to ${max} characters, without control characters or text-direction marks.`,
    );
  return line;
}

export function optionalText(field: string, text: string | undefined, max: number): string | undefined {
  return text === undefined ? undefined : requireText(field, text, max);
}

const MAX_URL_LENGTH = 2048;

/**
 * Rejects white space, backslashes and unprintable characters, because URL parsers silently remove or replace them.
 */
export function parseAbsoluteUrl(text: string): URL | undefined {
  const isPlain = /^[a-z][a-z0-9+.-]*:\/\/[^/\s\\\p{C}][^\s\\\p{C}]*$/iu.test(text);
  return isPlain && URL.canParse(text) ? new URL(text) : undefined;
}

/** Checks the string, because a parsed URL hides an empty user name. */
export function hasUrlCredentials(url: string): boolean {
  return /^[^:]+:\/\/[^/?#]*@/.test(url);
}

/** No user name or password, at most 2,048 characters. @returns undefined if invalid */
export function parseHttpsUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH || hasUrlCredentials(text)) return undefined;
  const url = parseAbsoluteUrl(text);
  return url?.protocol === 'https:' ? url : undefined;
}

/** @returns the origin as browsers spell it; undefined if invalid */
export function parseOrigin(text: string): string | undefined {
  const url = /[?#@]/.test(text) ? undefined : parseAbsoluteUrl(text);
  return url?.pathname === '/' ? url.origin : undefined;
}

const EACH_DIRECTION_CONTROL = new RegExp(`[${DIRECTION_CONTROLS}]`, 'g');

export function withoutDirectionControls(text: string): string {
  return text.replace(EACH_DIRECTION_CONTROL, '');
}

/** User input must not add lines to an email. */
export function collapseToOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

export type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name & string;

const camelCaseCache = new Map<string, string>();

export function camelCase(name: string): string {
  let renamed = camelCaseCache.get(name);
  if (renamed === undefined) {
    renamed = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelCaseCache.set(name, renamed);
  }
  return renamed;
}

/** Omits nulls. Does not change nested objects. */
export function toCamelCaseFields<Body extends object>(
  body: Body,
): { readonly [Name in keyof Body as CamelCase<Name>]: Body[Name] } {
  const sent = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(sent.map(([name, value]) => [camelCase(name), value])) as never;
}

/** @returns NaN for any other string, such as `1e1`, `0x1`, `1.0`, ` 1`, `+1` or `01` */
export function readWholeNumber(text: string): number {
  return /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : NaN;
}
