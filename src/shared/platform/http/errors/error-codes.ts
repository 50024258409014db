import { DomainError, type ErrorKind } from '#shared/kernel/domain-error.js';
import type { HttpFailureKind } from './error-kinds.js';

interface ErrorCodeEntry {
  readonly kind: HttpFailureKind;
  readonly meaning: string;
  readonly sentence: string;
}

export const ERROR_CODES = {
  validation_failed: {
    kind: 'invalid',
    meaning: 'A field is missing or invalid; `errors` lists each one.',
    sentence: 'The request is not valid. Check it against the API reference.',
  },
  malformed_json: {
    kind: 'invalid',
    meaning: 'The body is not JSON in UTF-8.',
    sentence: 'The body is not valid JSON in UTF-8. Send one JSON object.',
  },
  unknown_field: {
    kind: 'invalid',
    meaning: 'The operation has no such field or query parameter.',
    sentence: 'The operation does not have this field. Remove it.',
  },
  credentials_invalid: {
    kind: 'unauthenticated',
    meaning: 'The key is unknown, deleted or of another environment, or its secret is wrong.',
    sentence: 'These credentials are not valid. Check the key id and its secret.',
  },
  credential_disabled: {
    kind: 'unauthenticated',
    meaning: 'The credential is disabled.',
    sentence: 'This credential is disabled. Enable it or use another one.',
  },
  token_missing: {
    kind: 'unauthenticated',
    meaning: 'The `Authorization: Bearer` header is missing.',
    sentence: 'The access token is missing. Send it as `Authorization: Bearer <token>`.',
  },
  token_invalid: {
    kind: 'unauthenticated',
    meaning: 'The access token was not issued by this service.',
    sentence: 'The access token is not valid. Get a new one from `POST /v1/auth/token`.',
  },
  token_expired: {
    kind: 'unauthenticated',
    meaning: 'The access token has expired.',
    sentence: 'The access token has expired. Get a new one from `POST /v1/auth/token`.',
  },
  api_key_missing: {
    kind: 'unauthenticated',
    meaning: 'The `x-service-api-key` header is missing.',
    sentence: 'The key id is missing. Send it in the `x-service-api-key` header.',
  },
  api_key_mismatch: {
    kind: 'unauthenticated',
    meaning: 'The access token was issued to another key id.',
    sentence:
      'The key id in `x-service-api-key` does not match the access token. Send the key id that the token ' +
      'was issued to.',
  },
  ip_not_allowed: {
    kind: 'forbidden',
    meaning: 'The source address is not on the credential’s allowlist.',
    sentence:
      'Your IP address is not on this credential’s allowlist. Call from an allowed address, or change the ' +
      'allowlist.',
  },
  role_required: {
    kind: 'forbidden',
    meaning: 'The credential lacks the required role: `read` for GET, `write` for all other methods.',
    sentence:
      'The credential lacks the role that this operation requires. Use a credential with the role `read` for ' +
      'GET, or `write` for all other methods.',
  },
  organization_scope_required: {
    kind: 'forbidden',
    meaning: 'The operation requires an organization-level credential.',
    sentence:
      'This operation requires an organization-level credential. The credential that you sent is limited to ' +
      'one account.',
  },
  device_not_allowed: {
    kind: 'forbidden',
    meaning: 'A paired device can only manage payment requests of the point of sale that it is paired with.',
    sentence: 'A paired device cannot do this. Use an API key or the dashboard.',
  },
  account_not_allowed: {
    kind: 'forbidden',
    meaning: 'The credential cannot be used for this account, or cannot specify an account.',
    sentence:
      'This credential cannot be used for this account. Omit the account, or specify an account of your ' +
      'organization.',
  },
  cross_site_refused: {
    kind: 'forbidden',
    meaning: 'The request was sent by a page of another site (`Sec-Fetch-Site`, `Origin`).',
    sentence:
      'Pages of other sites cannot send this request. Send it from your server, or open the hosted page ' +
      'for the payer.',
  },
  not_found: {
    kind: 'not_found',
    meaning: 'The object does not exist, or this credential has no access to it.',
    sentence: 'This path does not exist. Check it against the API reference.',
  },
  pairing_code_invalid: {
    kind: 'not_found',
    meaning: 'The pairing code is unknown, has been used, or is older than ten minutes.',
    sentence: 'This pairing code is not valid. Request a new code.',
  },
  no_open_request: {
    kind: 'not_found',
    meaning: 'This point of sale has no open payment request now.',
    sentence: 'There is nothing to pay here yet. Try again when the cashier has created a payment request.',
  },
  method_not_allowed: {
    kind: 'method_not_allowed',
    meaning: 'The path does not support this method; the `Allow` header lists its methods.',
    sentence: 'This path does not support this method. Use one of the methods in the `Allow` header.',
  },
  request_timeout: {
    kind: 'request_timeout',
    meaning: 'The body did not arrive in time.',
    sentence: 'The body did not arrive in time. Send the request again.',
  },
  headers_too_large: {
    kind: 'headers_too_large',
    meaning: 'Path, query and headers together exceed 16 KiB.',
    sentence: 'The path, query and headers are too large. Send at most 16 KiB in total.',
  },
  state_conflict: {
    kind: 'conflict',
    meaning: 'The current state of the object does not allow this.',
    sentence: 'The current state of the object does not allow this. Read the object, then decide what to do.',
  },
  idempotency_in_progress: {
    kind: 'conflict',
    meaning: 'The first request with this `Idempotency-Key` is still running; repeat after `Retry-After`.',
    sentence: 'The first request with this Idempotency-Key is still running. Repeat it in a second.',
  },
  settlement_address_missing: {
    kind: 'conflict',
    meaning: 'No settlement address is set for this network, so payments cannot be collected on it.',
    sentence: 'No settlement address is set for this network. Ask the operator to set one.',
  },
  organization_not_approved: {
    kind: 'conflict',
    meaning: 'The organization is not approved for production.',
    sentence: 'The organization is not approved for production. Ask the operator to approve it.',
  },
  refund_by_merchant: {
    kind: 'conflict',
    meaning:
      'Payments on this network go to your own wallet, which also pays the refunds: send the refund from that ' +
      'wallet, then send its hash as `paid_transaction_hash`.',
    sentence:
      'Send the refund from your own wallet, then send the hash of that transaction as paid_transaction_hash.',
  },
  refund_float_insufficient: {
    kind: 'conflict',
    meaning: 'The refund float is too low; `message` has its address and the missing amount.',
    sentence: 'The refund float is too low. Top it up, then repeat the request.',
  },
  not_sponsored: {
    kind: 'conflict',
    meaning: 'The service does not pay the gas of this payment by signature; `errors[].rule` says why.',
    sentence: 'The service does not pay the gas of this payment. Send a transfer from the wallet instead.',
  },
  authorization_refused: {
    kind: 'conflict',
    meaning: 'The signed payment cannot be executed; `errors[].rule` says why.',
    sentence: 'The signed payment cannot be executed. Sign again, or send a transfer from the wallet.',
  },
  payload_too_large: {
    kind: 'payload_too_large',
    meaning: 'The body exceeds 64 KiB.',
    sentence: 'The body is too large. Send at most 64 KiB.',
  },
  unsupported_media_type: {
    kind: 'unsupported_media_type',
    meaning: 'The body is not plain `application/json` in UTF-8.',
    sentence:
      'The body has the wrong type. Send it as `Content-Type: application/json` in UTF-8, not compressed.',
  },
  idempotency_key_reused: {
    kind: 'unprocessable',
    meaning: 'This `Idempotency-Key` was used with a different operation, path or body.',
    sentence:
      'Another request used this Idempotency-Key within the last 24 hours. Repeat that request unchanged, or ' +
      'use a new key.',
  },
  rate_limited: {
    kind: 'rate_limited',
    meaning: 'Too many requests; repeat after `Retry-After`.',
    sentence: 'Too many requests. Wait for the number of seconds in `Retry-After`.',
  },
  proxy_not_trusted: {
    kind: 'unavailable',
    meaning: 'The request came through a proxy missing from the setting `TRUSTED_PROXIES`.',
    sentence:
      'The request came through a proxy that TRUSTED_PROXIES does not list. The operator must add the address ' +
      'of the proxy.',
  },
  unavailable: {
    kind: 'unavailable',
    meaning: 'A required component is unavailable; repeat after `Retry-After`.',
    sentence: 'The service is temporarily unavailable. Try again shortly.',
  },
  writing_stopped: {
    kind: 'unavailable',
    meaning:
      'The database lost confirmed data; the service rejects writes until the operator has checked it. Reads work.',
    sentence:
      'The service does not accept changes now: its database lost confirmed data, and its operator is checking ' +
      'it. Try again later.',
  },
  rate_unavailable: {
    kind: 'unavailable',
    meaning: 'No current price is available for this asset in this currency; other pairs are not affected.',
    sentence: 'There is no current price for this pair. Try again shortly, or choose another asset.',
  },
  payment_pending: {
    kind: 'unavailable',
    meaning:
      'An x402 payment was accepted and is not yet visible on the network; repeat the same header after ' +
      '`Retry-After`.',
    sentence:
      'The payment was accepted and is not yet visible on the network. Send the same header again: the payment ' +
      'is not made twice.',
  },
  internal_error: {
    kind: 'internal',
    meaning: 'Unexpected error; report its `request_id` to the operator.',
    sentence: 'An unexpected error occurred. Report the request_id to the operator.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;

type RefusalCode = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code]['kind'] extends ErrorKind ? Code : never;
}[ErrorCode];

export function refusalOfCode(code: RefusalCode): DomainError {
  return new DomainError(ERROR_CODES[code].kind, code, ERROR_CODES[code].sentence);
}
