import type { IdempotencyKeyPath, paths } from './api-types.js';

export const TOKEN_EXCHANGE_PATH = '/v1/auth/token';

/** POSTs that accept an `Idempotency-Key`. The type checks that the list is complete and has no other paths. */
const KEYED_PATHS: Readonly<Record<IdempotencyKeyPath, true>> = {
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

/** @returns whether a POST to the path accepts an `Idempotency-Key`; other paths reject the header */
export function acceptsIdempotencyKey(path: string): boolean {
  return Object.hasOwn(KEYED_PATHS, path);
}

const REPEATABLE_PATHS: readonly (keyof paths)[] = [
  TOKEN_EXCHANGE_PATH,
  '/v1/pos/{posID}/payment-request/{paymentRequestID}/expire',
];

/** @returns whether a POST to the path is idempotent without an `Idempotency-Key` */
export function isRepeatable(path: string): boolean {
  return (REPEATABLE_PATHS as readonly string[]).includes(path);
}
