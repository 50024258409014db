import type { Schemas } from './api-types.js';
import { unreadable } from './http-exchange.js';
import { nextStepOf } from './next-steps.js';

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
 * A call that did not succeed. Codes are those of docs/reference/errors.md, and three of the client: `unreachable` (no answer came),
 * `unexpected_answer` (what answered is not this API) and `wait_timed_out`.
 */
export class PaymentCollectionError extends Error {
  override readonly name = 'PaymentCollectionError';
  /** A stable word for programs. */
  readonly code: string;
  /** The status of HTTP; undefined where no answer came. */
  readonly status: number | undefined;
  /** Each refused field, with the rule it breaks. */
  readonly fields: readonly Schemas['FieldError'][];
  /** The service's operator finds the call in the log by it. */
  readonly requestId: string | undefined;
  /** The next step, as a sentence. */
  readonly nextStep: string;
  /** Seconds to wait, where the answer names them. */
  readonly retryAfter: number | undefined;

  /** @param message what was wrong, as a sentence without secrets */
  constructor(message: string, details: Details) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.status = details.status;
    this.fields = details.fields ?? [];
    this.requestId = details.requestId;
    this.nextStep = details.nextStep;
    this.retryAfter = details.retryAfter;
  }

  /** @param body of the answer, parsed where it is JSON */
  static ofAnswer(response: Response, body: unknown): PaymentCollectionError {
    const { status, headers } = response;
    const details = {
      status,
      retryAfter: secondsOf(headers.get('retry-after')),
      requestId: headers.get('x-request-id') ?? undefined,
    };
    if (!isError(body)) {
      const reason = unreadable(headers) ?? 'without an error of this API';
      return new PaymentCollectionError(`HTTP ${status} came ${reason}.`, {
        ...details,
        code: 'unexpected_answer',
        nextStep: 'Check the base URL, and what stands between you and the service.',
      });
    }
    const requestId = body.request_id ?? details.requestId;
    const isFault = status >= 500 && requestId !== undefined;
    return new PaymentCollectionError(isFault ? `${body.message} (Request id ${requestId}.)` : body.message, {
      ...details,
      code: body.code,
      fields: body.errors,
      requestId,
      nextStep: nextStepOf(body.code, status),
    });
  }

  /** @param attempts how often it was tried */
  static unreachable(origin: string, attempts: number, cause: unknown): PaymentCollectionError {
    const times = attempts === 1 ? 'once' : `${attempts} times`;
    return new PaymentCollectionError(`${origin} did not answer, tried ${times}: ${reasonOf(cause)}.`, {
      code: 'unreachable',
      nextStep:
        'Check that the service runs and can be reached. Repeat a creation under the same key: it may have been created.',
      cause,
    });
  }
}

/** @returns undefined for what is neither seconds nor a date */
export function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

/** An error without text would be one of a proxy. */
function isError(body: unknown): body is Schemas['ErrorEnvelope'] {
  const { code, message } = (body ?? {}) as Partial<Schemas['ErrorEnvelope']>;
  return typeof code === 'string' && typeof message === 'string';
}

/** The error of fetch is "fetch failed"; its cause has the reason. */
function reasonOf(error: unknown): string {
  const cause = (error as Error | undefined)?.cause ?? error;
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  return String(message || code || error).replace(/\.$/, '');
}
