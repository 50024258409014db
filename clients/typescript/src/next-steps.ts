/** The next step of a caller for each code, after docs/reference/errors.md. */
export const NEXT_STEPS: Readonly<Record<string, string>> = {
  validation_failed: 'Correct the fields that `fields` lists. The same request would be refused again.',
  malformed_json: 'Send one JSON object.',
  unknown_field: 'Leave out the fields that `fields` lists.',
  credentials_invalid: 'Check key id and secret, or ask the operator for a new credential.',
  credential_disabled: 'Have the operator enable the credential, or use another one.',
  token_missing: 'Send `Authorization: Bearer`; a proxy on the way may have taken it away.',
  token_invalid: 'Exchange key and secret for a new token.',
  token_expired: 'Exchange key and secret for a new token, then repeat the request.',
  api_key_missing: 'Send `x-service-api-key`; a proxy on the way may have taken it away.',
  api_key_mismatch: 'Send the key id and the token that belong together.',
  ip_not_allowed: 'Call from an allowed address, or have the list of the credential changed.',
  role_required: 'Use a credential with the role: `read` for GET, `write` for all others.',
  device_not_allowed:
    'Use an API key: a paired device creates, reads and ends requests of its own point of sale alone.',
  pairing_code_invalid: 'Have a new code shown in the dashboard: a code works once, for ten minutes.',
  organization_scope_required: 'Use an organization-level credential.',
  account_not_allowed: 'Leave the account out, or name one of your organization.',
  cross_site_refused: 'Call from a server, or lead the payer to the hosted page.',
  not_found: 'Check path and id.',
  no_open_request: 'Ask again every 3 seconds, or once the cashier has made a request.',
  method_not_allowed: 'Use a method that the `Allow` header lists.',
  request_timeout: 'Send it again.',
  state_conflict: 'Read the present state, then decide.',
  idempotency_in_progress: 'Repeat the same request under the same key after `retryAfter` seconds.',
  settlement_address_missing: 'Ask the operator for settlement terms of this network.',
  organization_not_approved: 'Ask the operator to approve the organization.',
  refund_by_merchant:
    'Pay the payer from your own wallet, then name the transaction as `paid_transaction_hash`.',
  refund_float_insufficient: 'Send what the message says is missing to the address it names, then try again.',
  not_sponsored: 'Have the payer send a transfer.',
  authorization_refused: 'Have the payer sign anew, or send a transfer.',
  payload_too_large: 'Send less.',
  unsupported_media_type: 'Send plain `application/json`, uncompressed.',
  idempotency_key_reused: 'Repeat the first request of this key as it was, or take a new key.',
  rate_limited: 'Wait `retryAfter` seconds.',
  headers_too_large: 'Send less in path, query and headers.',
  internal_error: 'Report `requestId`. Repeat a creation under the same key.',
  writing_stopped: 'Repeat later, a creation under the same key: the operator is looking at the database.',
  unavailable: 'Repeat after `retryAfter` seconds.',
  proxy_not_trusted: 'Report it to the operator: a proxy is missing in TRUSTED_PROXIES.',
  rate_unavailable: 'Repeat shortly, or offer another asset.',
  payment_pending: 'Send the same PAYMENT-SIGNATURE again after `retryAfter` seconds; it is not sent twice.',
};

/** @returns what to do about an error; of a code that was added later, by its HTTP status */
export function nextStepOf(code: string, status: number): string {
  const known = Object.hasOwn(NEXT_STEPS, code) ? NEXT_STEPS[code] : undefined;
  if (known !== undefined) return known;
  if (status === 401) return 'Check key id and secret.';
  if (status === 403) return 'Use a credential that may do this.';
  if (status === 429) return 'Wait `retryAfter` seconds.';
  if (status >= 500) return 'Repeat later; a creation under the same key.';
  return 'Correct the request: the message says what is wrong with it.';
}
