import createClient from 'openapi-fetch';
import { checkPath, faultOfBaseUrl } from './addresses.js';
import { ApiCalls } from './api-calls.js';
import type { paths } from './api-types.js';
import { PointOfSale } from './point-of-sale.js';
import { Refunds } from './refunds.js';
import { DEFAULT_RETRIES, type RetryPolicy } from './retrying.js';
import { Transport } from './transport.js';

export interface ClientOptions {
  /** URL of the service, such as `https://payments.example`. http is allowed only for a loopback host. */
  readonly baseUrl: string;
  /** Key id of the credential. */
  readonly apiKey: string;
  /** Secret of the credential, as returned when the credential was created. */
  readonly apiSecret: string;
  /** Number of attempts and delays between them. Default: 4 attempts. */
  readonly retries?: Partial<RetryPolicy>;
  /** Time limit of one attempt, in milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** Prefix of the `User-Agent` header, such as `shop/1.0`. Default: none. */
  readonly product?: string;
}

const THIRTY_SECONDS = 30_000;
const SETTINGS = {
  baseUrl: 'PAYMENT_COLLECTION_URL',
  apiKey: 'PAYMENT_COLLECTION_API_KEY',
  apiSecret: 'PAYMENT_COLLECTION_API_SECRET',
} as const;

/** Client for one credential. Calls are retried if a retry is safe. */
export class PaymentCollectionClient extends ApiCalls {
  readonly refunds = new Refunds(this);

  /** @throws TypeError if an option is missing or `baseUrl` is invalid */
  constructor(options: ClientOptions) {
    for (const [name, setting] of Object.entries(SETTINGS)) {
      if (!options[name as keyof typeof SETTINGS]) throw new TypeError(`${name} (${setting}) is required.`);
    }
    const baseUrl = options.baseUrl.replace(/\/+$/, '');
    const fault = faultOfBaseUrl(baseUrl);
    if (fault !== undefined) throw new TypeError(`baseUrl ${fault}.`);
    const { apiKey, apiSecret, timeout = THIRTY_SECONDS, product } = options;
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
   * Creates a client from `PAYMENT_COLLECTION_URL`, `PAYMENT_COLLECTION_API_KEY` and `PAYMENT_COLLECTION_API_SECRET`.
   * @throws TypeError if a variable is missing or the URL is invalid
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
