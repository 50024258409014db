import { invalidField, type DomainError } from './domain-error.js';

/** Keeps `page × page_size` far below what a double or a bigint holds exactly. */
export const LAST_PAGE = 2 ** 31 - 1;

/** Requested part of a list. Pages start at 1. */
export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
  /** Cursor from an earlier answer. Results start after it, and `page` is 1. */
  readonly after?: string | undefined;
}

export interface Page<T> {
  readonly items: T[];
  /** Exact number of items in the complete list. */
  readonly total: number;
  /** Cursor after the last item. Absent on the last page and for lists without cursors. */
  readonly next?: string | undefined;
}

const CURSOR_VERSION = '1';

/** @param key the parts of the last item's key, as strings */
export function cursorOf(key: readonly string[]): string {
  return Buffer.from(JSON.stringify([CURSOR_VERSION, ...key])).toString('base64url');
}

/**
 * Parses a cursor. A cursor holds only a position; the query decides which items its caller may see.
 * @param patterns one for each part of the list's key
 * @throws validation_failed naming `after`
 */
export function readCursor(cursor: string, patterns: readonly RegExp[]): string[] {
  const key = partsOf(cursor);
  const fits = key.length === patterns.length && patterns.every((pattern, at) => pattern.test(key[at]!));
  if (!fits || cursorOf(key) !== cursor) throw unknownCursor();
  return key;
}

/**
 * Returns a page of an in-memory list.
 * @param keyOf the parts of an item's key, unique in the list
 * @throws validation_failed naming `after`, also if the item at the cursor has been removed
 */
export function pageAmong<T>(
  all: readonly T[],
  { page, pageSize, after }: PageRequest,
  keyOf: (item: T) => readonly string[],
): Page<T> {
  const last = after === undefined ? -1 : all.findIndex((item) => cursorOf(keyOf(item)) === after);
  if (after !== undefined && last < 0) throw unknownCursor();
  const start = after === undefined ? (page - 1) * pageSize : last + 1;
  const items = all.slice(start, start + pageSize);
  const hasMore = start + pageSize < all.length;
  return { items, total: all.length, next: hasMore ? cursorOf(keyOf(items.at(-1)!)) : undefined };
}

function partsOf(cursor: string): string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value.slice(1).map(String) : [];
  } catch {
    return [];
  }
}

function unknownCursor(): DomainError {
  return invalidField(
    'after',
    'cursor',
    'must be the `next` value of an earlier response of the same list. Omit it to start at the first item.',
  );
}

/** Maximum number of items in a choice list. */
export const MOST_CHOICES = 50;

/** A search for items to choose from. */
export interface ChoiceSearch {
  /** Part of a name, in any case, or an id. An id also returns the other items if there are few. Default: any item. */
  readonly typed?: string | undefined;
}

/** The first matching items by name, at most `MOST_CHOICES`. */
export interface Choices<Item> {
  readonly items: readonly Item[];
  /** Exact number of matching items. */
  readonly total: number;
}
