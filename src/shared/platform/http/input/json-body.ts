import { invalidField } from '#shared/kernel/domain-error.js';
import { refusal } from '../errors/error-codes.js';
import { refuseTreacherousJson } from './json-scan.js';

/** `application/json`, with no parameter but `charset=utf-8`, which some clients spell `utf8`. */
export const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")[ \t]*)?)*$/i;

/**
 * Keeps nothing between two texts that are each decoded whole; making one costs more than decoding a body. Skips a byte order mark
 * (RFC 8259, section 8.1).
 */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Also as an escape. Most bodies are spared the slower way of parsing. */
const NOT_ASCII = /[^ -~\t\r\n]|\\u/;

const inFormC = (_: string, value: unknown) => (typeof value === 'string' ? value.normalize('NFC') : value);

/**
 * Texts are read in Unicode Normalization Form C: two spellings of the same letters are the same text wherever they are compared.
 * @returns undefined for `null`: the body is left out
 * @throws DomainError saying what is wrong with it
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
