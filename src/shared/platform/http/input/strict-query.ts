import type { NextFunction, Request, Response } from 'express';
import { invalidField, unknownField } from '#shared/kernel/domain-error.js';
import { refusalOfCode } from '../errors/error-codes.js';
import { fieldPath, isReservedName } from '../validation/validation.js';

/** Parses the query string into `request.query`, a flat record of strings. */
export function readStrictQuery(request: Request, _response: Response, next: NextFunction): void {
  const [path = '', ...rest] = request.url.split('?');
  const decodedPath = decodeQueryText(path);
  if (decodedPath === undefined)
    throw invalidField('path', 'percent_encoding', 'must be percent-encoded UTF-8.');
  // PostgreSQL rejects NUL in a text, and no id contains it.
  if (decodedPath.includes('\0')) throw refusalOfCode('not_found');

  Object.defineProperty(request, 'query', {
    value: parseQueryPairs(rest.join('?'), 'is not a query parameter of this operation. Remove it.'),
    writable: true,
    configurable: true,
  });
  next();
}

/** @param unknown the error message for a key that no operation can have */
export function parseQueryPairs(text: string, unknown: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawKey = equals < 0 ? pair : pair.slice(0, equals);
    const key = decodeQueryText(rawKey.replaceAll('+', ' '));
    const value = equals < 0 ? '' : decodeQueryText(pair.slice(equals + 1).replaceAll('+', ' '));
    const field = fieldPath([key ?? rawKey]);
    if (key === undefined || value === undefined) {
      throw invalidField(field, 'percent_encoding', 'must be percent-encoded UTF-8.');
    }
    if (key.includes('\0') || value.includes('\0'))
      throw invalidField(field, 'characters', 'must not contain NUL characters.');
    if (key === '' || /[[\]]/.test(key) || isReservedName(key)) throw unknownField(field, unknown);
    if (Object.hasOwn(values, key)) throw invalidField(field, 'duplicate_key', 'must be sent only once.');
    values[key] = value;
  }
  return values;
}

/** Converts to Normalization Form C, as for JSON bodies. */
function decodeQueryText(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize('NFC');
  } catch {
    return undefined;
  }
}
