import { invalidField } from '#shared/kernel/domain-error.js';
import { parseStrictPairs } from './strict-query.js';

/** The content type of a browser's form, with no parameter but `charset=utf-8`. */
export const FORM_IN_UTF8 =
  /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)*$/i;

/** A flat record of texts, by the rules of the strict query. @throws DomainError naming the field */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidField('body', 'percent_encoding', 'is not percent-encoded UTF-8.');
  }
  return parseStrictPairs(text, 'is not a field of this form. Leave it out.');
}
