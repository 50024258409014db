import type { Schemas } from './api-types.js';
import { unreadableReason } from './http-exchange.js';
import { nextStepAfterError } from './next-steps.js';

interface Details {
  code: string;
  nextStep: string;
  status?: number | undefined;
  fields?: readonly Schemas['FieldError'][] | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/**
 * Error of a failed call. `code` is a code of docs/reference/errors.md or one of the client: `unreachable` (no response was received),
 * `unexpected_answer` (the response does not come from this API) or `wait_timed_out`.
 */
export class PaymentCollectionError extends Error {
  override readonly name = 'PaymentCollectionError';
  /** Stable, machine-readable error code. */
  readonly code: string;
  /** HTTP status; undefined if no response was received. */
  readonly status: number | undefined;
  /** Invalid fields, each with the violated rule. */
  readonly fields: readonly Schemas['FieldError'][];
  /** Id of the request in the service's log. Include it when you contact the operator. */
  readonly requestId: string | undefined;
  /** Sentence that says what to do. */
  readonly nextStep: string;
  /** Seconds to wait before the next attempt; undefined if the response has no `Retry-After`. */
  readonly retryAfter: number | undefined;

  /** @param message sentence for a log; contains no secrets */
  constructor(message: string, details: Details) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.status = details.status;
    this.fields = details.fields ?? [];
    this.requestId = details.requestId;
    this.nextStep = details.nextStep;
    this.retryAfter = details.retryAfter;
  }

  /** @param body parsed body of the response; undefined if it is not JSON */
  static ofAnswer(response: Response, body: unknown): PaymentCollectionError {
    const { status, headers } = response;
    const details = {
      status,
      retryAfter: parseRetryAfter(headers.get('retry-after')),
      requestId: headers.get('x-request-id') ?? undefined,
    };
    if (!isError(body)) {
      const reason = unreadableReason(headers) ?? 'the response does not come from this API';
      return new PaymentCollectionError(`HTTP ${status}: ${reason}.`, {
        ...details,
        code: 'unexpected_answer',
        nextStep: 'Check the base URL, and any proxy between you and the service.',
      });
    }
    const requestId = body.request_id ?? details.requestId;
    const isFault = status >= 500 && requestId !== undefined;
    return new PaymentCollectionError(isFault ? `${body.message} (Request id ${requestId}.)` : body.message, {
      ...details,
      code: body.code,
      fields: body.errors,
      requestId,
      nextStep: nextStepAfterError(body.code, status),
    });
  }

  static unreachable(origin: string, attempts: number, cause: unknown): PaymentCollectionError {
    const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
    return new PaymentCollectionError(`No response from ${origin} after ${times}: ${reasonOf(cause)}.`, {
      code: 'unreachable',
      nextStep:
        'Check that the service is running and reachable. Repeat a create call with the same idempotency key, because it may have succeeded.',
      cause,
    });
  }
}

/** @returns the seconds until `Retry-After`; undefined if the value is neither a number nor a date */
export function parseRetryAfter(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

/** @returns whether the body is an error of this API; a proxy's error has no `code` or `message` */
function isError(body: unknown): body is Schemas['ErrorEnvelope'] {
  const { code, message } = (body ?? {}) as Partial<Schemas['ErrorEnvelope']>;
  return typeof code === 'string' && typeof message === 'string';
}

/** @returns the reason of the innermost error, such as `ECONNREFUSED` */
function reasonOf(error: unknown): string {
  const cause = (error as Error | undefined)?.cause ?? error;
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  return String(message || code || error).replace(/\.$/, '');
}
