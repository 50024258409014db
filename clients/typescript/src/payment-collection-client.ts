import createClient from 'openapi-fetch';
import { checkPath, faultOfBaseUrl } from './addresses.js';
import { ApiCalls } from './api-calls.js';
import type { paths } from './api-types.js';
import { PointOfSale } from './point-of-sale.js';
import { Refunds } from './refunds.js';
import { DEFAULT_RETRIES, type RetryPolicy } from './retrying.js';
import { Transport } from './transport.js';

export interface ClientOptions {
  /** Where the service is reached, like `https://payments.example`; http only on this machine. */
  readonly baseUrl: string;
  /** Key id and secret, as the credential's creation answered them. */
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly retries?: Partial<RetryPolicy>;
  /** Milliseconds for one attempt; 30,000 unless set. */
  readonly timeout?: number;
  /** Named before the client in `User-Agent`, such as `shop/1.0`. */
  readonly product?: string;
}

const HALF_A_MINUTE = 30_000;
const SETTINGS = {
  baseUrl: 'PAYMENT_COLLECTION_URL',
  apiKey: 'PAYMENT_COLLECTION_API_KEY',
  apiSecret: 'PAYMENT_COLLECTION_API_SECRET',
} as const;

/** Calls the API with one credential. Every call is retried where that does no harm. */
export class PaymentCollectionClient extends ApiCalls {
  readonly refunds = new Refunds(this);

  /** @throws TypeError naming what is missing or no URL of a service */
  constructor(options: ClientOptions) {
    for (const [name, setting] of Object.entries(SETTINGS)) {
      if (!options[name as keyof typeof SETTINGS]) throw new TypeError(`${name} (${setting}) is missing.`);
    }
    const baseUrl = options.baseUrl.replace(/\/+$/, '');
    const fault = faultOfBaseUrl(baseUrl);
    if (fault !== undefined) throw new TypeError(`baseUrl ${fault}.`);
    const { apiKey, apiSecret, timeout = HALF_A_MINUTE, product } = options;
    const retries = { ...DEFAULT_RETRIES, ...options.retries };
    const transport = new Transport({ baseUrl, apiKey, apiSecret, retries, timeout, product });
    const api = createClient<paths>({ baseUrl });
    api.use({
      onRequest: ({ request, schemaPath, params, options: { parseAs } }) => {
        checkPath(schemaPath, params.path);
        return transport.send(request, schemaPath, parseAs === 'stream');
      },
    });
    super(api);
  }

  /**
   * Reads `PAYMENT_COLLECTION_URL`, `PAYMENT_COLLECTION_API_KEY` and `PAYMENT_COLLECTION_API_SECRET`.
   * @throws TypeError naming what is missing
   */
  static fromEnvironment(
    environment: Readonly<Record<string, string | undefined>> = process.env,
  ): PaymentCollectionClient {
    const entries = Object.entries(SETTINGS).map(([name, setting]) => [name, environment[setting] ?? '']);
    return new PaymentCollectionClient(Object.fromEntries(entries) as ClientOptions);
  }

  pointOfSale(id: string): PointOfSale {
    return new PointOfSale(this, id);
  }
}
