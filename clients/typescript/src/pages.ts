import type { AnswerOf, CallOptions, PathWith, paths } from './api-types.js';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly total_pages: number;
  /** Absent on the last page. */
  readonly next?: string;
}

/** Paths of paginated lists. */
export type PagedPath = {
  [Path in PathWith<'get'>]: AnswerOf<Path, 'get'> extends Page<unknown> ? Path : never;
}[PathWith<'get'>];

export type ItemOf<Path extends PagedPath> = AnswerOf<Path, 'get'> extends Page<infer Item> ? Item : never;

type Parameters<Path extends PagedPath> = paths[Path]['get']['parameters'];
type PathPart<Path extends PagedPath> =
  Parameters<Path> extends { path: infer Names } ? { path: Names } : { path?: never };

/** Parameters of a list, without the pagination parameters. */
export type ListInit<Path extends PagedPath> = CallOptions & {
  /** Number of items per page, 5 to 100. Default: 100. */
  pageSize?: number;
  query?: Omit<NonNullable<Parameters<Path>['query']>, 'page' | 'page_size' | 'after'>;
} & PathPart<Path>;

export type ListArgument<Path extends PagedPath> =
  Parameters<Path> extends { path: unknown } ? [init: ListInit<Path>] : [init?: ListInit<Path>];

/**
 * Iterates over the items of all pages. The first page is requested with `page`, each further page with the cursor of the previous page.
 * @param read requests the page with these parameters
 */
export async function* itemsOfPages<Item>(
  read: (place: { page: number } | { after: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const { data, next } = await read(after === undefined ? { page: 1 } : { after });
    yield* data;
    after = next;
  }
}
