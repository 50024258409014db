import { invalidField, type DomainError } from './domain-error.js';

/** Keeps `page × page_size` far below the largest exact number of JavaScript and PostgreSQL. */
export const MAX_PAGE_NUMBER = 2 ** 31 - 1;

export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
  /** Starts after this item; `page` is then 1. */
  readonly after?: string | undefined;
}

export interface Page<T> {
  readonly items: T[];
  /** Exact number of items on all pages. */
  readonly total: number;
  /** Absent on the last page and for lists without cursors. */
  readonly next?: string | undefined;
}

const CURSOR_VERSION = '1';

/** @param key values of the sort columns in the last item */
export function formatCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify([CURSOR_VERSION, ...key])).toString('base64url');
}

/** @param patterns one for each sort column @throws validation_failed naming `after` */
export function parseCursor(cursor: string, patterns: readonly RegExp[]): string[] {
  const key = decodeCursor(cursor);
  const fits = key.length === patterns.length && patterns.every((pattern, at) => pattern.test(key[at]!));
  if (!fits || formatCursor(key) !== cursor) throw unknownCursorError();
  return key;
}

/**
 * @param keyOf returns the sort values of an item, which identify it @throws validation_failed naming `after`, also
 * if the item at the cursor has been removed
 */
export function pageOfItems<T>(
  all: readonly T[],
  { page, pageSize, after }: PageRequest,
  keyOf: (item: T) => readonly string[],
): Page<T> {
  const last = after === undefined ? -1 : all.findIndex((item) => formatCursor(keyOf(item)) === after);
  if (after !== undefined && last < 0) throw unknownCursorError();
  const start = after === undefined ? (page - 1) * pageSize : last + 1;
  const items = all.slice(start, start + pageSize);
  const hasMore = start + pageSize < all.length;
  return { items, total: all.length, next: hasMore ? formatCursor(keyOf(items.at(-1)!)) : undefined };
}

function decodeCursor(cursor: string): string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value.slice(1).map(String) : [];
  } catch {
    return [];
  }
}

function unknownCursorError(): DomainError {
  return invalidField(
    'after',
    'cursor',
    'must be the `next` value of an earlier response of the same list. Omit it to start at the first item.',
  );
}

export const MAX_CHOICES = 50;

export interface ChoiceSearch {
  /** Part of a name, ignoring case, or a complete id. An id may return other items too. */
  readonly typed?: string | undefined;
}

/** The first matching items by name, at most `MAX_CHOICES`. */
export interface Choices<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}
