import type { AnswerOf, CallOptions, PathWith, paths } from './api-types.js';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: number;
  readonly total_pages: number;
}

/** Lists that are read page by page. */
export type PagedPath = {
  [Path in PathWith<'get'>]: AnswerOf<Path, 'get'> extends Page<unknown> ? Path : never;
}[PathWith<'get'>];

export type ItemOf<Path extends PagedPath> = AnswerOf<Path, 'get'> extends Page<infer Item> ? Item : never;

type Parameters<Path extends PagedPath> = paths[Path]['get']['parameters'];
type PathPart<Path extends PagedPath> =
  Parameters<Path> extends { path: infer Names } ? { path: Names } : { path?: never };

/** Parameters of a list, without those by which it is divided. */
export type ListInit<Path extends PagedPath> = CallOptions & {
  /** Items that are asked for at once, 5 to 100. */
  pageSize?: number;
  query?: Omit<NonNullable<Parameters<Path>['query']>, 'page' | 'page_size'>;
} & PathPart<Path>;

export type ListArgument<Path extends PagedPath> =
  Parameters<Path> extends { path: unknown } ? [init: ListInit<Path>] : [init?: ListInit<Path>];

/**
 * The items of all pages. A list that grows at its front moves items to the next page: those of the page before are passed over.
 * @param read answers a page by its number, from 1
 */
export async function* itemsOfPages<Item>(
  read: (page: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let before = new Set<unknown>();
  for (let number = 1; ; number += 1) {
    const { data, total_pages: last } = await read(number);
    yield* data.filter((item) => !before.has(idOf(item)));
    if (data.length === 0 || number >= last) return;
    before = new Set(data.map(idOf));
  }
}

/** An object without an id is its own: never the same twice. */
function idOf(item: unknown): unknown {
  return (item as { id?: unknown }).id ?? item;
}
