import { invalidField } from '#shared/kernel/domain-error.js';
import { refusal } from '../errors/error-codes.js';
import { refuseTreacherousJson } from './json-scan.js';

/** `application/json`, with no parameter but `charset=utf-8`. */
export const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)*$/i;

/** Keeps nothing between two texts that are each decoded whole; making one costs more than decoding a body. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @returns undefined for `null`: the body is left out
 * @throws DomainError saying what is wrong with it
 */
export function parseJsonObject(bytes: Uint8Array): object | undefined {
  let text: string;
  let value: unknown;
  try {
    text = UTF_8.decode(bytes);
    value = JSON.parse(text);
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
