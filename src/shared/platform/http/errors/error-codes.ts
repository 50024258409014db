import { DomainError, type ErrorKind } from '#shared/kernel/domain-error.js';
import type { FailureKind } from './error-kinds.js';

interface ErrorCodeEntry {
  readonly kind: FailureKind;
  /** When it is answered, for the reference. */
  readonly meaning: string;
  /** Callers read this sentence unless the place that failed knows better. */
  readonly sentence: string;
}

/** Every error code a caller can meet. Codes are stable: they are added, never renamed, within `/v1`. */
export const ERROR_CODES = {
  validation_failed: {
    kind: 'invalid',
    meaning: 'A field is missing or breaks a rule; `errors` lists each one.',
    sentence: 'The request could not be understood. Check it against the reference.',
  },
  malformed_json: {
    kind: 'invalid',
    meaning: 'The body is not JSON in UTF-8.',
    sentence: 'The body is not valid JSON in UTF-8. Send one JSON object.',
  },
  unknown_field: {
    kind: 'invalid',
    meaning: 'The request names a field or query key that this operation does not have.',
    sentence: 'The request has a field that this operation does not know. Leave it out.',
  },
  credentials_invalid: {
    kind: 'unauthenticated',
    meaning: 'The key is unknown, of another environment, or its secret is wrong.',
    sentence: 'These credentials are not valid. Check the key id and its secret.',
  },
  credential_disabled: {
    kind: 'unauthenticated',
    meaning: 'The credential has been disabled.',
    sentence: 'This credential is disabled. Enable it or use another one.',
  },
  token_missing: {
    kind: 'unauthenticated',
    meaning: 'The `Authorization: Bearer` header is missing.',
    sentence: 'Send the access token as `Authorization: Bearer <token>`.',
  },
  token_invalid: {
    kind: 'unauthenticated',
    meaning: 'The access token is not one of this service.',
    sentence: 'The access token is not valid. Exchange the credentials for a new one.',
  },
  token_expired: {
    kind: 'unauthenticated',
    meaning: 'The access token has expired.',
    sentence: 'The access token has expired. Exchange the credentials for a new one.',
  },
  api_key_missing: {
    kind: 'unauthenticated',
    meaning: 'The `x-service-api-key` header is missing.',
    sentence: 'Send the key id in the `x-service-api-key` header.',
  },
  api_key_mismatch: {
    kind: 'unauthenticated',
    meaning: 'The key id is not the one the access token was issued to.',
    sentence:
      'The key id in `x-service-api-key` does not belong to the access token. Send the pair that belongs together.',
  },
  ip_not_allowed: {
    kind: 'forbidden',
    meaning: 'The source address is not on the credential’s allowlist.',
    sentence: 'This address is not on the allowlist of the credential.',
  },
  role_required: {
    kind: 'forbidden',
    meaning: 'The credential lacks the role this operation wants: `read` for GET, `write` for the others.',
    sentence: 'The credential lacks the role that this operation wants.',
  },
  organization_scope_required: {
    kind: 'forbidden',
    meaning: 'Only a credential of the whole organization may do this.',
    sentence: 'This operation wants a credential of the whole organization, not of one account.',
  },
  device_not_allowed: {
    kind: 'forbidden',
    meaning: 'A paired device asks for something else than payment requests of its own point of sale.',
    sentence: 'A paired device may not do this.',
  },
  account_not_allowed: {
    kind: 'forbidden',
    meaning: 'The credential may not name this account, or name an account at all.',
    sentence: 'The credential may not act for this account.',
  },
  cross_site_refused: {
    kind: 'forbidden',
    meaning: 'A browser says that a page of another site has sent this (`Sec-Fetch-Site`, `Origin`).',
    sentence:
      'Pages of other sites may not send this. Send it from your server, or lead the payer to the page.',
  },
  not_found: {
    kind: 'not_found',
    meaning: 'There is no such thing, or this credential may not see it.',
    sentence: 'No such route. Check the method and the path.',
  },
  pairing_code_invalid: {
    kind: 'not_found',
    meaning: 'The pairing code is unknown, was used, or is older than ten minutes.',
    sentence: 'This pairing code is not valid. Ask for a new one.',
  },
  no_open_request: {
    kind: 'not_found',
    meaning:
      'There is nothing to pay at this point of sale now; ask again once its cashier has made a request.',
    sentence: 'There is nothing to pay here yet. Ask again once the cashier has made a payment request.',
  },
  request_timeout: {
    kind: 'request_timeout',
    meaning: 'The body did not arrive in time.',
    sentence: 'The body did not arrive in time. Send it again.',
  },
  headers_too_large: {
    kind: 'headers_too_large',
    meaning: 'Path, query and headers together are larger than 16 KiB.',
    sentence: 'Path, query and headers are too large. Send at most 16 KiB of them.',
  },
  state_conflict: {
    kind: 'conflict',
    meaning: 'The thing is in a state that does not allow this.',
    sentence: 'Its present state does not allow this.',
  },
  idempotency_in_progress: {
    kind: 'conflict',
    meaning:
      'The first request under this `Idempotency-Key` is still being answered; repeat it after the time in `Retry-After`.',
    sentence: 'The first request under this Idempotency-Key is not answered yet. Repeat it in a second.',
  },
  settlement_address_missing: {
    kind: 'conflict',
    meaning: 'No settlement address is set for this network, so nothing can be collected on it.',
    sentence: 'No settlement address is set for this network. Have one set first.',
  },
  organization_not_approved: {
    kind: 'conflict',
    meaning: 'The organization has not been approved for production yet.',
    sentence: 'The organization is not approved for production yet. Have the operator approve it first.',
  },
  refund_by_merchant: {
    kind: 'conflict',
    meaning:
      'What is received on that network is in your own wallet, which pays refunds too: name its transaction as `paid_transaction_hash`.',
    sentence: 'Pay the payer from your own wallet, then name that transaction as paid_transaction_hash.',
  },
  refund_float_insufficient: {
    kind: 'conflict',
    meaning:
      'The refund float cannot pay this beside what it has promised; `message` says its address and what is missing.',
    sentence: 'The refund float does not hold enough. Top it up, then ask again.',
  },
  not_sponsored: {
    kind: 'conflict',
    meaning:
      'The service does not pay the gas of this payment by signature; `details` and `errors[].rule` say which limit or setting.',
    sentence: 'This payment by signature is not sponsored. Send a transfer from the wallet instead.',
  },
  authorization_refused: {
    kind: 'conflict',
    meaning:
      'The token would not carry out what was signed, or it failed before; `details` and `errors[].rule` say why.',
    sentence: 'The authorization is refused. Sign a new one, or send a transfer from the wallet.',
  },
  payload_too_large: {
    kind: 'payload_too_large',
    meaning: 'The body is larger than 64 KiB.',
    sentence: 'The body is too large. Send at most 64 KiB.',
  },
  unsupported_media_type: {
    kind: 'unsupported_media_type',
    meaning: 'The body is not plain `application/json` in UTF-8.',
    sentence: 'Send the body as `Content-Type: application/json` in UTF-8, not compressed.',
  },
  idempotency_key_reused: {
    kind: 'unprocessable',
    meaning: 'Another request has used this `Idempotency-Key`: another operation, path or body.',
    sentence:
      'This Idempotency-Key was used for another request within 24 hours. Repeat that request as it was, or take a new key.',
  },
  rate_limited: {
    kind: 'rate_limited',
    meaning: 'More requests than are taken of one caller; ask again after the time in `Retry-After`.',
    sentence: 'Too many requests. Wait as long as `Retry-After` says.',
  },
  proxy_not_trusted: {
    kind: 'unavailable',
    meaning: 'The request came through a proxy that the setting `TRUSTED_PROXIES` does not list.',
    sentence:
      'The request came through a proxy that TRUSTED_PROXIES does not list. The operator must add the address of the proxy to TRUSTED_PROXIES.',
  },
  unavailable: {
    kind: 'unavailable',
    meaning: 'A part the service needs is away for the moment; retry after the time in `Retry-After`.',
    sentence: 'The service cannot answer at this moment. Try again shortly.',
  },
  writing_stopped: {
    kind: 'unavailable',
    meaning:
      'The service’s database lost what it had confirmed, and nothing is written until the operator has looked at it. Reads go on.',
    sentence:
      'The service writes nothing at this moment: its database lost what it had confirmed, and its operator is looking at it. Try again later.',
  },
  rate_unavailable: {
    kind: 'unavailable',
    meaning: 'There is no current price of this asset in this coin; other pairs are not affected.',
    sentence: 'There is no current price for this pair. Try again shortly, or choose another asset.',
  },
  payment_pending: {
    kind: 'unavailable',
    meaning:
      'A payment by x402 was taken and is not seen yet; send the same header again after the time in `Retry-After`.',
    sentence: 'The payment is under way and not seen yet. Send the same header again: it is not sent twice.',
  },
  internal_error: {
    kind: 'internal',
    meaning: 'An unexpected error; the operator finds it by `request_id`.',
    sentence: 'Something unexpected went wrong. Name the request id when you report it.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;

type RefusalCode = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code]['kind'] extends ErrorKind ? Code : never;
}[ErrorCode];

/** An error in the words of the table. */
export function refusal(code: RefusalCode): DomainError {
  return new DomainError(ERROR_CODES[code].kind, code, ERROR_CODES[code].sentence);
}
