import { faultOfBaseUrl } from 'payment-collection-client';
/** Names the provider in `User-Agent`, with the version of the package. */
export const PRODUCT = 'payment-collection-medusa/0.1.0';

/** The options of the provider in `medusa-config.ts`. */
export interface PaymentCollectionOptions {
  /** Where the service is reached, like `https://payments.example`. */
  readonly baseUrl: string;
  /** Key id and secret, as the credential's creation answered them; with the roles `read` and `write`. */
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The online point of sale where checkouts are made. */
  readonly pointOfSaleId: string;
  /** The secret of the webhook, as its creation answered it; several while one is being rotated. */
  readonly webhookSecret: string | readonly string[];
  /** Where the hosted page leads the payer at the end; the point of sale's own unless set. */
  readonly returnUrl?: string;
  /** `automatic` unless set: a paid session is captured at once. `manual`: it is authorized, and a person captures it. */
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
const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text');

const REQUIRED: Readonly<Record<string, Check>> = {
  baseUrl: faultOfBaseUrl,
  apiKey: text,
  apiSecret: text,
  pointOfSaleId: (value) =>
    typeof value === 'string' && UUID.test(value) ? undefined : 'must be the id of a point of sale, a UUID',
  webhookSecret: (value) => {
    const secrets = [value].flat();
    const isGood = secrets.length > 0 && secrets.every((one) => typeof one === 'string' && SECRET.test(one));
    return isGood
      ? undefined
      : 'must be whsec_ and the characters behind it, as the webhook’s creation answered it';
  },
};
const OPTIONAL: Readonly<Record<string, Check>> = {
  returnUrl: (value) =>
    isHttpsUrl(value) ? undefined : 'must be an https URL without a user name or password',
  capture: (value) =>
    value === 'automatic' || value === 'manual' ? undefined : 'must be automatic or manual',
};

/** @returns what is wrong with the options, a sentence each, without the values: some are secrets */
export function faultsOfOptions(options: unknown): string[] {
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  const isSet = (name: string) => given[name] !== undefined && given[name] !== '';
  const checks = { ...REQUIRED, ...OPTIONAL };
  return [
    ...Object.keys(REQUIRED)
      .filter((name) => !isSet(name))
      .map((name) => `${name} is missing.`),
    ...Object.keys(given)
      .filter((name) => !Object.hasOwn(checks, name))
      .map((name) => `${name} is no option of this provider.`),
    ...Object.entries(checks).flatMap(([name, check]) => {
      const fault = isSet(name) ? check(given[name]) : undefined;
      return fault === undefined ? [] : [`${name} ${fault}.`];
    }),
  ];
}
