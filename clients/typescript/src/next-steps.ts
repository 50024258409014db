/** Next step for each error code in docs/reference/errors.md. */
export const ERROR_NEXT_STEPS: Readonly<Record<string, string>> = {
  validation_failed: 'Correct the fields listed in `fields`. An unchanged request is rejected again.',
  malformed_json: 'Send one JSON object.',
  unknown_field: 'Remove the fields listed in `fields`.',
  credentials_invalid: 'Check the key id and secret, or ask the operator for a new credential.',
  credential_disabled: 'Ask the operator to enable the credential, or use another one.',
  token_missing: 'Send the header `Authorization: Bearer`. A proxy may have removed it.',
  token_invalid: 'Exchange the key id and secret for a new token.',
  token_expired: 'Exchange the key id and secret for a new token, then repeat the request.',
  api_key_missing: 'Send the header `x-service-api-key`. A proxy may have removed it.',
  api_key_mismatch: 'Send the key id for which the token was issued.',
  ip_not_allowed: 'Call from an allowed IP address, or have the credential’s allowlist changed.',
  role_required: 'Use a credential with the required role: `read` for GET, `write` for other methods.',
  device_not_allowed:
    'Use an API key. A paired device can only create, read and end payment requests of its own point of sale.',
  pairing_code_invalid: 'Create a new code in the dashboard. A code can be used once, within ten minutes.',
  organization_scope_required: 'Use an organization-level credential.',
  account_not_allowed: 'Omit the account, or specify an account of your organization.',
  cross_site_refused: 'Call from a server, or redirect the payer to the hosted page.',
  not_found: 'Check the path and the id.',
  no_open_request: 'Retry every 3 seconds, or after the cashier has created a payment request.',
  method_not_allowed: 'Use a method that the `Allow` header lists.',
  request_timeout: 'Send the request again.',
  state_conflict: 'Read the current state, then decide how to continue.',
  idempotency_in_progress:
    'Repeat the same request with the same idempotency key after `retryAfter` seconds.',
  settlement_address_missing: 'Ask the operator for settlement terms of this network.',
  organization_not_approved: 'Ask the operator to approve the organization.',
  refund_by_merchant:
    'Send the refund from your own wallet, then send its transaction hash as `paid_transaction_hash`.',
  refund_float_insufficient:
    'Top up the refund float: send the missing amount to the address in the message, then try again.',
  not_sponsored: 'Ask the payer to send a transfer.',
  authorization_refused: 'Ask the payer to sign again, or to send a transfer.',
  payload_too_large: 'Send a smaller body.',
  unsupported_media_type: 'Send plain `application/json`, uncompressed.',
  idempotency_key_reused: 'Repeat the first request of this idempotency key unchanged, or use a new key.',
  rate_limited: 'Wait `retryAfter` seconds.',
  headers_too_large: 'Shorten the path, the query or the headers.',
  internal_error: 'Report `requestId` to the operator. Repeat a creation with the same idempotency key.',
  writing_stopped:
    'Retry later, and repeat a creation with the same idempotency key. The operator is checking the database.',
  unavailable: 'Retry after `retryAfter` seconds.',
  proxy_not_trusted: 'Tell the operator that a proxy is missing in TRUSTED_PROXIES.',
  rate_unavailable: 'Retry in a few seconds, or offer another asset.',
  payment_pending:
    'Send the same PAYMENT-SIGNATURE again after `retryAfter` seconds. The payment is not made twice.',
};

/** @returns the next step for an error code; for unknown codes, the next step for the HTTP status */
export function nextStepAfterError(code: string, status: number): string {
  const known = Object.hasOwn(ERROR_NEXT_STEPS, code) ? ERROR_NEXT_STEPS[code] : undefined;
  if (known !== undefined) return known;
  if (status === 401) return 'Check the key id and secret.';
  if (status === 403) return 'Use a credential with access to this operation.';
  if (status === 429) return 'Wait `retryAfter` seconds.';
  if (status >= 500) return 'Retry later. Repeat a creation with the same idempotency key.';
  return 'Correct the request as the message describes.';
}
