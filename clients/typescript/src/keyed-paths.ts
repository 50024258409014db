import type { KeyedPath, paths } from './api-types.js';

export const EXCHANGE = '/v1/auth/token';

/** The types of the API decide which: one that is missing or too many does not compile. */
const KEYED_PATHS: Readonly<Record<KeyedPath, true>> = {
  '/v1/account': true,
  '/v1/account/{accountID}/webhook': true,
  '/v1/account/{accountID}/webhook/{webhookID}/delivery/{deliveryID}/resend': true,
  '/v1/account/{accountID}/webhook/{webhookID}/replay': true,
  '/v1/account/{accountID}/webhook/{webhookID}/rotate-secret': true,
  '/v1/account/{accountID}/webhook/{webhookID}/test': true,
  '/v1/pos': true,
  '/v1/pos/{posID}/payment-link': true,
  '/v1/pos/{posID}/payment-request': true,
  '/v1/pos/{posID}/payment-request-checkout': true,
  '/v1/pos/{posID}/subscription': true,
  '/v1/refunds/payment-request/{paymentRequestID}': true,
  '/v1/refunds/{refundID}/claim': true,
};

/** True where a POST to the path takes an `Idempotency-Key`. The others refuse one. */
export function takesKey(path: string): boolean {
  return Object.hasOwn(KEYED_PATHS, path);
}

const REPEATABLE_PATHS: readonly (keyof paths)[] = [
  EXCHANGE,
  '/v1/pos/{posID}/payment-request/{paymentRequestID}/expire',
];

/** True where a POST to the path takes no key, and a repetition does no harm and says what the first one would have. */
export function isRepeatable(path: string): boolean {
  return (REPEATABLE_PATHS as readonly string[]).includes(path);
}
