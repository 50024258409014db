import type { RatePolicy } from './rate-limits.js';

/** Kinds of domain errors. Only `platform/http` maps them to HTTP status codes. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'unprocessable';

/** A rejected input field: its path, the broken rule and a message. */
export interface FieldError {
  /** Path in the input as the caller spelled it, e.g. `order.items[0].amount`. */
  field: string;
  /** Stable snake_case rule, e.g. `decimal_amount`. */
  rule: string;
  message: string;
}

/** An error that callers may see. Any other error becomes an opaque `internal_error`. */
export class DomainError extends Error {
  constructor(
    readonly kind: ErrorKind,
    /** Stable snake_case code that programs may rely on. */
    readonly code: string,
    /** The cause and the next step. */
    message: string,
    readonly errors: FieldError[] = [],
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** A `not_found` for a caller who did not guess an id. It does not count toward the caller's limit of misses. */
export class NotFoundWithoutGuess extends DomainError {}

/** The caller exceeded a rate limit. */
export class RateLimited extends DomainError {
  /**
   * @param retryAfterSeconds whole seconds, at least 1
   * @param policy the exhausted limit, if it is a number of requests per period
   * @param what the reason, as a sentence
   */
  constructor(
    readonly retryAfterSeconds: number,
    readonly policy?: RatePolicy,
    what = 'Too many requests.',
  ) {
    const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`;
    super('rate_limited', 'rate_limited', `${what} Try again in ${wait}.`);
  }
}

/** Creates the error for a rejected field. */
export function invalidField(field: string, rule: string, message: string): DomainError {
  return new DomainError('invalid', 'validation_failed', `${field}: ${message}`, [{ field, rule, message }]);
}

/** Creates the error for an operation that the current state forbids. @param message what to do instead */
export function stateConflict(message: string): DomainError {
  return new DomainError('conflict', 'state_conflict', message);
}

/** Creates the error for a failure that a retry may fix. @param message which party failed and what to do */
export function unavailable(message: string): DomainError {
  return new DomainError('unavailable', 'unavailable', message);
}

/** Creates the error for an unexpected field or key. */
export function unknownField(field: string, message: string): DomainError {
  const errors = [{ field, rule: 'unknown_field', message }];
  return new DomainError('invalid', 'unknown_field', `${field}: ${message}`, errors);
}

/**
 * Creates the error for a missing record. A record of another tenant must give the same error (docs/reference/README.md,
 * "Identifiers").
 */
export function notFound(what: string): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    `No such ${what}. Check the id, and that this credential has access to it.`,
  );
}
