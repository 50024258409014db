import type { Client } from 'openapi-fetch';
import type { AnswerOf, CallOptions, Init, InitArgument, HttpMethod, PathWith, paths } from './api-types.js';
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

/** Calls any operation by its path in the API reference. */
export class ApiCalls {
  constructor(
    /**
     * The underlying openapi-fetch client, with the same token and retries. It returns `{data, error, response}` and accepts the
     * options of openapi-fetch, such as `parseAs: 'stream'` to download the transactions as CSV.
     */
    readonly api: Client<paths>,
  ) {}

  /** @returns the response's `data` @throws PaymentCollectionError */
  get<Path extends PathWith<'get'>, Given extends Init<Path, 'get'> = Init<Path, 'get'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'get'>('get', path, init[0]);
  }

  /** @returns the response's `data` @throws PaymentCollectionError */
  post<Path extends PathWith<'post'>, Given extends Init<Path, 'post'> = Init<Path, 'post'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'post'>('post', path, init[0]);
  }

  /** @returns the response's `data` @throws PaymentCollectionError */
  put<Path extends PathWith<'put'>, Given extends Init<Path, 'put'> = Init<Path, 'put'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'put'>('put', path, init[0]);
  }

  /** @returns the response's `data` @throws PaymentCollectionError */
  patch<Path extends PathWith<'patch'>, Given extends Init<Path, 'patch'> = Init<Path, 'patch'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'patch'>('patch', path, init[0]);
  }

  /**
   * Deletes an object. If a response was lost, the retry may fail with status 404 although the object was deleted.
   * @returns the response's `data` @throws PaymentCollectionError
   */
  delete<Path extends PathWith<'delete'>, Given extends Init<Path, 'delete'> = Init<Path, 'delete'>>(
    path: Path,
    ...init: InitArgument<NoInfer<Given>>
  ) {
    return this.call<Path, 'delete'>('delete', path, init[0]);
  }

  /** Iterates over all items of a list and requests pages as needed. @throws PaymentCollectionError */
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
   * Iterates over all events after the cursor `after`, oldest first. Store the `id` of the last event that you handled, or the cursor
   * passed to `keepCursor`, and pass it as `after` the next time. @throws PaymentCollectionError
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

  private async call<Path extends keyof paths, M extends HttpMethod>(
    method: M,
    path: Path,
    init: unknown,
  ): Promise<AnswerOf<Path, M>> {
    return (await this.ask(method, path, init as AnyInit)) as AnswerOf<Path, M>;
  }

  private async ask(method: HttpMethod, path: string, init: AnyInit = {}): Promise<unknown> {
    const { idempotencyKey, ...rest } = init;
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const request = this.api.request as (method: string, path: string, init: object) => Promise<Result>;
    // openapi-fetch would throw a parse error without the response's status, so the body is read as text.
    const { data, error, response } = await request(method, path, { ...rest, headers, parseAs: 'text' });
    const answer = parsedAnswer(data ?? error);
    if (!response.ok || answer === undefined) throw PaymentCollectionError.ofAnswer(response, answer);
    return answer.status === 'success' ? answer.data : answer;
  }
}

/** @param body text, or parsed JSON */
function parsedAnswer(body: unknown): { status?: unknown; data?: unknown } | undefined {
  try {
    const value: unknown = typeof body === 'string' ? JSON.parse(body) : body;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
