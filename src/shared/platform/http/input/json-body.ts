import { invalidField } from '#shared/kernel/domain-error.js';
import { refusalOfCode } from '../errors/error-codes.js';
import { rejectAmbiguousJson } from './json-scan.js';

/** Content type `application/json` with at most the parameter `charset=utf-8`, which some clients spell `utf8`. */
export const JSON_CONTENT_TYPE_PATTERN =
  /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")[ \t]*)?)*$/i;

/** Shared, because creating a decoder is slow. Skips a byte order mark (RFC 8259, section 8.1). */
const UTF_8_DECODER = new TextDecoder('utf-8', { fatal: true });

/**
 * Matches JSON with non-ASCII characters or escapes. Most bodies contain neither and need no Unicode normalization.
 */
const NOT_ASCII = /[^ -~\t\r\n]|\\u/;

const toFormC = (_: string, value: unknown) => (typeof value === 'string' ? value.normalize('NFC') : value);

/**
 * Converts strings to Normalization Form C. @returns undefined for `null`, which means that the request has no body
 */
export function parseJsonObject(bytes: Uint8Array): object | undefined {
  let text: string;
  let value: unknown;
  try {
    text = UTF_8_DECODER.decode(bytes);
    value = NOT_ASCII.test(text) ? JSON.parse(text, toFormC) : JSON.parse(text);
  } catch {
    throw refusalOfCode('malformed_json');
  }
  rejectAmbiguousJson(text);
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidField('body', 'object', 'must be a JSON object.');
  }
  return value;
}
