import { faultOfBaseUrl } from 'payment-collection-client';
/** Name and version of the package for the `User-Agent` header. */
export const USER_AGENT_PRODUCT = 'payment-collection-medusa/0.1.0';

/** Options of the provider in `medusa-config.ts`. */
export interface PaymentCollectionOptions {
  /** URL of the service, such as `https://payments.example`. http is allowed only for a loopback host. */
  readonly baseUrl: string;
  /** Key id of a credential with the roles `read` and `write`. */
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Id of the online point of sale in which checkouts are created. Use it only for this provider entry. */
  readonly pointOfSaleId: string;
  /** Webhook secret, as returned when the webhook was created. Pass all valid secrets during a rotation. */
  readonly webhookSecret: string | readonly string[];
  /** https URL that the hosted page opens after the payment. Default: the return URL of the point of sale. */
  readonly returnUrl?: string;
  /** `automatic` (default) captures a paid session. `manual` only authorizes it until a person captures it in Medusa. */
  readonly capture?: 'automatic' | 'manual';
}

type Check = (value: unknown) => string | undefined;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SECRET = /^whsec_[A-Za-z0-9_+/-]{24,}={0,2}$/;

const isHttpsUrl = (value: unknown) =>
  typeof value === 'string' &&
  /^https:\/\//.test(value) &&
  URL.canParse(value) &&
  !/^https:\/\/[^/?#\\]*@/.test(value);
const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string');

const REQUIRED: Readonly<Record<string, Check>> = {
  baseUrl: faultOfBaseUrl,
  apiKey: text,
  apiSecret: text,
  pointOfSaleId: (value) =>
    typeof value === 'string' && UUID.test(value) ? undefined : 'must be the id of a point of sale (a UUID)',
  webhookSecret: (value) => {
    const secrets = [value].flat();
    const isGood = secrets.length > 0 && secrets.every((one) => typeof one === 'string' && SECRET.test(one));
    return isGood
      ? undefined
      : 'must be whsec_ followed by the key, as returned when the webhook was created';
  },
};
const OPTIONAL: Readonly<Record<string, Check>> = {
  returnUrl: (value) =>
    isHttpsUrl(value) ? undefined : 'must be an https URL without a user name or password',
  capture: (value) =>
    value === 'automatic' || value === 'manual' ? undefined : 'must be automatic or manual',
};

/** @returns a sentence for each fault of the options; contains no values, because some are secrets */
export function faultsOfOptions(options: unknown): string[] {
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  const isSet = (name: string) => given[name] !== undefined && given[name] !== '';
  const checks = { ...REQUIRED, ...OPTIONAL };
  return [
    ...Object.keys(REQUIRED)
      .filter((name) => !isSet(name))
      .map((name) => `${name} is required.`),
    ...Object.keys(given)
      .filter((name) => !Object.hasOwn(checks, name))
      .map((name) => `${name} is not an option of this provider.`),
    ...Object.entries(checks).flatMap(([name, check]) => {
      const fault = isSet(name) ? check(given[name]) : undefined;
      return fault === undefined ? [] : [`${name} ${fault}.`];
    }),
  ];
}
