import { invalidField } from '#shared/kernel/domain-error.js';
import { MAX_PAGE_NUMBER, type Page, type PageRequest } from '#shared/kernel/page.js';
import { IsAnyText } from '../validation/field-rules.js';
import { IsQueryInteger } from '../validation/query-integer.js';

const PAGE_NUMBER_RANGE = { min: 1, max: MAX_PAGE_NUMBER };
const AFTER_OPTIONS = {
  optional: true,
  description:
    'Cursor: the `next` value of the previous page. Send it with the same filters and `page_size`. The response starts with ' +
    'the item after the cursor, even if items were created, changed or removed since. Cannot be combined with `page`.',
};

export class PageQuery {
  // The OpenAPI schema has no default, because clients that send defaults would send `page` together with `after`.
  @IsQueryInteger('Page number, starting at 1. Default: 1. Cannot be combined with `after`.', {
    ...PAGE_NUMBER_RANGE,
    optional: true,
  })
  page?: number;

  @IsQueryInteger('Items per page, 1 to 100. Default: 50.', { min: 1, max: 100, default: 50 })
  page_size: number = 50;

  @IsAnyText(AFTER_OPTIONS)
  after?: string;
}

export interface PageQueryFields {
  page?: number;
  page_size: number;
  after?: string;
}

/** For lists that require `page_size` and either `page` or `after` (docs/reference/lists.md, "Paging"). */
export function requiredPageQuery(leastPageSize: number): new () => PageQueryFields {
  class RequiredPageQuery {
    @IsQueryInteger(
      'Page number, starting at 1. Required unless `after` is sent; cannot be combined with it.',
      { ...PAGE_NUMBER_RANGE, unless: 'after', example: 1 },
    )
    page?: number;

    @IsQueryInteger(`Items per page, ${leastPageSize} to 100.`, { min: leastPageSize, max: 100, example: 50 })
    page_size!: number;

    @IsAnyText(AFTER_OPTIONS)
    after?: string;
  }
  return RequiredPageQuery;
}

export function toPageRequest({ page, page_size: pageSize, after }: PageQueryFields): PageRequest {
  if (page !== undefined && after !== undefined)
    throw invalidField('after', 'without_page', 'cannot be combined with `page`. Send one of them.');
  return { page: page ?? 1, pageSize, after };
}

export interface PageBody<T> {
  data: T[];
  total: number;
  page: number;
  page_size: number;
  total_pages: number;
  next?: string;
}

export function presentListPage<T, V>(
  page: Page<T>,
  request: PageRequest,
  present: (item: T) => V,
): PageBody<V> {
  return {
    data: page.items.map((item) => present(item)),
    total: page.total,
    page: request.page,
    page_size: request.pageSize,
    total_pages: Math.ceil(page.total / request.pageSize),
    ...(page.next !== undefined && { next: page.next }),
  };
}
