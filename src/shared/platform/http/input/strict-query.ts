import type { NextFunction, Request, Response } from 'express';
import { DomainError, invalidField } from '../../../kernel/domain-error.js';
import { ERROR_CODES } from '../errors/error-codes.js';
import { fieldPath, isReservedName } from '../validation/field-path.js';

/**
 * Reads the query into `request.query`, a flat record of strings, and refuses what parsers usually guess at:
 * keys given twice, brackets, malformed percent-encoding, NUL.
 */
export function readStrictQuery(request: Request, _response: Response, next: NextFunction): void {
  const [path = '', ...rest] = request.url.split('?');
  const decodedPath = decode(path);
  if (decodedPath === undefined)
    throw invalidField('path', 'percent_encoding', 'is not percent-encoded UTF-8.');
  // No id holds a NUL, so this is a path to nothing; databases would choke on it.
  if (decodedPath.includes('\0'))
    throw new DomainError('not_found', 'not_found', ERROR_CODES.not_found.sentence);

  Object.defineProperty(request, 'query', {
    value: parseStrictQuery(rest.join('?')),
    writable: true,
    configurable: true,
  });
  next();
}

/** @throws DomainError naming the key */
function parseStrictQuery(query: string): Record<string, string> {
  return parseStrictPairs(query, 'is not a query key of this operation. Leave it out.');
}

/**
 * `application/x-www-form-urlencoded`, as in queries and posted forms.
 * @param unknown what is said of a key that no operation can have
 * @throws DomainError naming the key
 */
export function parseStrictPairs(text: string, unknown: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawKey = equals < 0 ? pair : pair.slice(0, equals);
    const key = decode(rawKey.replaceAll('+', ' '));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1).replaceAll('+', ' '));
    const field = fieldPath([key ?? rawKey]);
    if (key === undefined || value === undefined) {
      throw invalidField(field, 'percent_encoding', 'is not percent-encoded UTF-8.');
    }
    if (key.includes('\0') || value.includes('\0'))
      throw invalidField(field, 'characters', 'must not contain NUL.');
    if (key === '' || /[[\]]/.test(key) || isReservedName(key)) throw unknownKey(field, unknown);
    if (Object.hasOwn(values, key)) throw invalidField(field, 'duplicate_key', 'must not be given twice.');
    values[key] = value;
  }
  return values;
}

function unknownKey(field: string, message: string): DomainError {
  return new DomainError('invalid', 'unknown_field', `${field}: ${message}`, [
    { field, rule: 'unknown_field', message },
  ]);
}

/** Lone surrogates cannot come through here: they have no UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
