import type { AnswerFact } from '../../facts/fact.js';
import type { Known } from '../known/known.js';
import { isObject } from '../known/values.js';

const STATUS_OF: Readonly<Record<string, number>> = {
  validation_failed: 400,
  malformed_json: 400,
  unknown_field: 400,
  credentials_invalid: 401,
  credential_disabled: 401,
  token_missing: 401,
  token_invalid: 401,
  token_expired: 401,
  api_key_missing: 401,
  api_key_mismatch: 401,
  ip_not_allowed: 403,
  role_required: 403,
  organization_scope_required: 403,
  account_not_allowed: 403,
  device_not_allowed: 403,
  not_found: 404,
  no_open_request: 404,
  state_conflict: 409,
  idempotency_in_progress: 409,
  settlement_address_missing: 409,
  organization_not_approved: 409,
  refund_float_insufficient: 409,
  refund_by_merchant: 409,
  not_sponsored: 409,
  idempotency_key_reused: 422,
  rate_limited: 429,
  unavailable: 503,
  rate_unavailable: 503,
  internal_error: 500,
};

const ERROR_KEYS = new Set(['status', 'code', 'message', 'details', 'errors', 'request_id']);

export type Opened =
  | { readonly kind: 'success'; readonly data: unknown }
  | { readonly kind: 'error'; readonly code: string }
  | { readonly kind: 'broken' };

export function opened(answer: AnswerFact, about: string, known: Known): Opened {
  known.expect(
    typeof answer.headers['x-request-id'] === 'string',
    'every response carries X-Request-Id',
    about,
    ['the header', 'none'],
  );
  const { body } = answer;
  if (!isObject(body)) {
    known.differ('answers use the envelope', about, ['an object with status', body]);
    return { kind: 'broken' };
  }
  if (answer.status === 200) {
    const is = body.status === 'success' && 'data' in body;
    known.expect(is, 'success is HTTP 200 with status success and data', about, [
      'status success, data',
      body,
    ]);
    return is ? { kind: 'success', data: body.data } : { kind: 'broken' };
  }
  return error(answer.status, answer, body, about, known);
}

function error(
  status: number,
  answer: AnswerFact,
  body: Readonly<Record<string, unknown>>,
  about: string,
  { findings }: Known,
): Opened {
  const code = body.code;
  const isShaped =
    body.status === 'error' &&
    typeof code === 'string' &&
    /^[a-z0-9]+(_[a-z0-9]+)*$/.test(code) &&
    typeof body.message === 'string' &&
    body.message !== '' &&
    Object.keys(body).every((key) => ERROR_KEYS.has(key));
  findings.expect(isShaped, 'the shape of an error', about, [
    'status, code, message, request_id and no data',
    body,
  ]);
  if (typeof code !== 'string') return { kind: 'broken' };
  const expected = STATUS_OF[code];
  const isMapped = expected === undefined ? status >= 400 && status < 500 : expected === status;
  findings.expect(isMapped, 'the HTTP status of an error code', about, [
    expected ?? '4xx',
    `${status} ${code}`,
  ]);
  if (status === 429 || status === 503) {
    findings.expect(answer.headers['retry-after'] !== undefined, '429 and 503 carry Retry-After', about, [
      'the header',
      'none',
    ]);
  }
  return { kind: 'error', code };
}
