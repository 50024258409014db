import type { Page, PageRequest } from '#shared/kernel/page.js';
import { QueryInteger } from '../validation/query-integer.js';

/** Keeps `page × page_size` far below what a double or a bigint holds exactly. */
const LAST_PAGE = 2 ** 31 - 1;

/** Which page of a list; both may be left out. */
export class PageQuery {
  @QueryInteger({ min: 1, max: LAST_PAGE, default: 1, description: 'Page wanted; pages count from 1.' })
  page: number = 1;

  @QueryInteger({ min: 1, max: 100, default: 50, description: 'Items per page.' })
  page_size: number = 50;
}

export interface RequestedPage {
  page: number;
  page_size: number;
}

/** The same for lists that require both keys (docs/api/README.md, "Paging"). */
export function requiredPageQuery(leastPageSize: number): new () => RequestedPage {
  class RequiredPageQuery {
    @QueryInteger({ min: 1, max: LAST_PAGE, description: 'Page wanted; pages count from 1.', example: 1 })
    page!: number;

    @QueryInteger({ min: leastPageSize, max: 100, description: 'Items per page.', example: 50 })
    page_size!: number;
  }
  return RequiredPageQuery;
}

export function toPageRequest(query: RequestedPage): PageRequest {
  return { page: query.page, pageSize: query.page_size };
}

/** A page as callers see it. Described in docs/api/README.md, "Paging". */
export interface PageBody<T> {
  data: T[];
  total: number;
  page: number;
  page_size: number;
  total_pages: number;
}

/** A page beyond the end is empty, with the exact total. */
export function presentPage<T, V>(page: Page<T>, request: PageRequest, present: (item: T) => V): PageBody<V> {
  return {
    data: page.items.map((item) => present(item)),
    total: page.total,
    page: request.page,
    page_size: request.pageSize,
    total_pages: Math.ceil(page.total / request.pageSize),
  };
}
