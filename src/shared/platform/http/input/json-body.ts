import { invalidField } from '#shared/kernel/domain-error.js';
import { refusal } from '../errors/error-codes.js';
import { refuseTreacherousJson } from './json-scan.js';

/** `application/json`, with at most the parameter `charset=utf-8`, which some clients spell `utf8`. */
export const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")[ \t]*)?)*$/i;

/**
 * Reused, because it is stateless between complete strings and costs more to create than decoding a body. Skips a byte
 * order mark (RFC 8259, section 8.1).
 */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Also matches escapes. Most bodies do not match and use the faster parsing. */
const NOT_ASCII = /[^ -~\t\r\n]|\\u/;

const inFormC = (_: string, value: unknown) => (typeof value === 'string' ? value.normalize('NFC') : value);

/**
 * Parses a JSON object. Normalizes strings to Unicode Normalization Form C, so that equivalent strings compare equal.
 * @returns undefined for `null`, which means no body
 * @throws DomainError describing the problem
 */
export function parseJsonObject(bytes: Uint8Array): object | undefined {
  let text: string;
  let value: unknown;
  try {
    text = UTF_8.decode(bytes);
    value = NOT_ASCII.test(text) ? JSON.parse(text, inFormC) : JSON.parse(text);
  } catch {
    throw refusal('malformed_json');
  }
  refuseTreacherousJson(text);
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidField('body', 'object', 'must be a JSON object.');
  }
  return value;
}
