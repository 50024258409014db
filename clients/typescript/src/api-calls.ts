import type { Client } from 'openapi-fetch';
import type { AnswerOf, CallOptions, Init, InitArgument, Method, PathWith, paths } from './api-types.js';
import { notificationIn, type EventOptions, type ListedEvent } from './events.js';
import { itemsOfPages, type ItemOf, type ListArgument, type PagedPath } from './pages.js';
import { PaymentCollectionError } from './payment-collection-error.js';

type EventsQuery = NonNullable<paths['/v1/events']['get']['parameters']['query']>;

interface AnyInit extends CallOptions {
  params?: object;
  body?: unknown;
  idempotencyKey?: string;
}
interface AnyListInit extends CallOptions {
  pageSize?: number;
  query?: object;
  path?: object;
}
interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}

const LARGEST_PAGE = 100;

/** Calls operations by their paths, as the reference has them. */
export class ApiCalls {
  constructor(
    /**
     * The client of openapi-fetch on the same token and retries: answers `{data, error, response}` as they come, and takes its
     * other options, such as `parseAs: 'stream'` for the transactions as CSV.
     */
    readonly api: Client<paths>,
  ) {}

  /** @returns the answer's `data` @throws PaymentCollectionError */
  get<Path extends PathWith<'get'>, Given extends Init<Path, 'get'> = Init<Path, 'get'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'get'>('get', path, init[0]);
  }

  /** @returns the answer's `data` @throws PaymentCollectionError */
  post<Path extends PathWith<'post'>, Given extends Init<Path, 'post'> = Init<Path, 'post'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'post'>('post', path, init[0]);
  }

  /** @returns the answer's `data` @throws PaymentCollectionError */
  put<Path extends PathWith<'put'>, Given extends Init<Path, 'put'> = Init<Path, 'put'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'put'>('put', path, init[0]);
  }

  /** @returns the answer's `data` @throws PaymentCollectionError */
  patch<Path extends PathWith<'patch'>, Given extends Init<Path, 'patch'> = Init<Path, 'patch'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'patch'>('patch', path, init[0]);
  }

  /** A deletion that is repeated after a lost answer may be 404: then it is done. @returns the answer's `data` @throws PaymentCollectionError */
  delete<Path extends PathWith<'delete'>, Given extends Init<Path, 'delete'> = Init<Path, 'delete'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'delete'>('delete', path, init[0]);
  }

  /** The items of a list, of one page after another. @throws PaymentCollectionError */
  list<Path extends PagedPath>(
    path: Path,
    ...init: ListArgument<Path>
  ): AsyncGenerator<ItemOf<Path>, void, undefined> {
    const { pageSize = LARGEST_PAGE, query, path: names, signal } = (init[0] ?? {}) as AnyListInit;
    return itemsOfPages(async (place) => {
      const params = { path: names, query: { ...query, ...place, page_size: pageSize } };
      const answer = await this.ask('get', path, { params, ...(signal && { signal }) });
      return answer as { data: ItemOf<Path>[]; total_pages: number; next?: string };
    });
  }

  /**
   * The events behind `after`, oldest first, to the newest there is. Keep the `id` of the last that you have handled, or what
   * `keepCursor` is called with, and go on behind it the next time. @throws PaymentCollectionError
   */
  async *events(
    query: EventsQuery = {},
    { keepCursor, ...options }: EventOptions = {},
  ): AsyncGenerator<ListedEvent, void, undefined> {
    let after = query.after;
    for (;;) {
      const params = { query: { ...query, ...(after !== undefined && { after }) } };
      const page = await this.get('/v1/events', { params, ...options });
      for (const event of page.data) {
        const data = notificationIn(event.body);
        if (data !== undefined) yield { ...event, data };
      }
      if (page.next_after !== undefined) await keepCursor?.(page.next_after);
      if (!page.has_more) return;
      after = page.next_after ?? after;
    }
  }

  private async call<Path extends keyof paths, M extends Method>(
    method: M,
    path: Path,
    init: unknown,
  ): Promise<AnswerOf<Path, M>> {
    return (await this.ask(method, path, init as AnyInit)) as AnswerOf<Path, M>;
  }

  private async ask(method: Method, path: string, init: AnyInit = {}): Promise<unknown> {
    const { idempotencyKey, ...rest } = init;
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const request = this.api.request as (method: string, path: string, init: object) => Promise<Result>;
    // Read as text: openapi-fetch would throw what it cannot parse, without the answer's status.
    const { data, error, response } = await request(method, path, { ...rest, headers, parseAs: 'text' });
    const answer = parsedAnswer(data ?? error);
    if (!response.ok || answer === undefined) throw PaymentCollectionError.ofAnswer(response, answer);
    return answer.status === 'success' ? answer.data : answer;
  }
}

/** @param body text, or JSON that is parsed already */
function parsedAnswer(body: unknown): { status?: unknown; data?: unknown } | undefined {
  try {
    const value: unknown = typeof body === 'string' ? JSON.parse(body) : body;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
