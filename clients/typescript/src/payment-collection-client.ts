import createClient, { type Client } from 'openapi-fetch';
import type { AnswerOf, CallOptions, Init, InitArgument, Method, PathWith, paths } from './api-types.js';
import { noticeIn, type ListedEvent } from './events.js';
import { itemsOfPages, type ItemOf, type ListArgument, type PagedPath } from './pages.js';
import { PaymentCollectionError } from './payment-collection-error.js';
import { PointOfSale } from './point-of-sale.js';
import { DEFAULT_RETRIES, type RetryPolicy } from './retrying.js';
import { Transport } from './transport.js';

export interface ClientOptions {
  /** Where the service is reached, like `https://payments.example`. */
  readonly baseUrl: string;
  /** Key id and secret, as the credential's creation answered them. */
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly retries?: Partial<RetryPolicy>;
  /** Milliseconds for one attempt; 30,000 unless set. */
  readonly timeout?: number;
}

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
const HALF_A_MINUTE = 30_000;
const SETTINGS = {
  baseUrl: 'PAYMENT_COLLECTION_URL',
  apiKey: 'PAYMENT_COLLECTION_API_KEY',
  apiSecret: 'PAYMENT_COLLECTION_API_SECRET',
} as const;

/** Calls the API with one credential. Every call is retried where that does no harm. */
export class PaymentCollectionClient {
  /**
   * The client of openapi-fetch on the same token and retries: answers `{data, error, response}` as they come, and takes its
   * other options, such as `parseAs: 'stream'` for the transactions as CSV.
   */
  readonly api: Client<paths>;

  constructor(options: ClientOptions) {
    for (const [name, setting] of Object.entries(SETTINGS)) {
      if (!options[name as keyof typeof SETTINGS]) throw new TypeError(`${name} (${setting}) is missing.`);
    }
    const baseUrl = options.baseUrl.replace(/\/+$/, '');
    if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
      throw new TypeError(`baseUrl must be an absolute http or https URL, not ${baseUrl}.`);
    }
    const { apiKey, apiSecret, timeout = HALF_A_MINUTE } = options;
    const retries = { ...DEFAULT_RETRIES, ...options.retries };
    const transport = new Transport({ baseUrl, apiKey, apiSecret, retries, timeout });
    this.api = createClient<paths>({ baseUrl });
    this.api.use({
      onRequest: ({ request, schemaPath, options: { parseAs } }) =>
        transport.send(request, schemaPath, parseAs === 'stream'),
    });
  }

  /** By `PAYMENT_COLLECTION_URL`, `PAYMENT_COLLECTION_API_KEY` and `PAYMENT_COLLECTION_API_SECRET`. @throws TypeError naming what is missing */
  static fromEnvironment(
    environment: Readonly<Record<string, string | undefined>> = process.env,
  ): PaymentCollectionClient {
    const entries = Object.entries(SETTINGS).map(([name, setting]) => [name, environment[setting] ?? '']);
    return new PaymentCollectionClient(Object.fromEntries(entries) as ClientOptions);
  }

  pointOfSale(id: string): PointOfSale {
    return new PointOfSale(this, id);
  }

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

  /** Sent again after a lost answer, it may be 404: then it is deleted. @returns the answer's `data` @throws PaymentCollectionError */
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
    return itemsOfPages(async (page) => {
      const params = { path: names, query: { ...query, page, page_size: pageSize } };
      const answer = await this.ask('get', path, { params, ...(signal && { signal }) });
      return answer as { data: ItemOf<Path>[]; page: number; total_pages: number };
    });
  }

  /**
   * The events behind `after`, oldest first, to the newest there is. Keep the `id` of the last that you have handled, and go on
   * behind it the next time. @throws PaymentCollectionError
   */
  async *events(
    query: EventsQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListedEvent, void, undefined> {
    let after = query.after;
    for (;;) {
      const params = { query: { ...query, ...(after !== undefined && { after }) } };
      const page = await this.get('/v1/events', { params, ...options });
      for (const event of page.data) {
        const data = noticeIn(event.body);
        if (data !== undefined) yield { ...event, data };
      }
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

/** @param said text, or JSON that is parsed already */
function parsedAnswer(said: unknown): { status?: unknown; data?: unknown } | undefined {
  try {
    const value: unknown = typeof said === 'string' ? JSON.parse(said) : said;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
