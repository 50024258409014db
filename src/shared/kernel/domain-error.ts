import type { RateLimitPolicy } from './rate-limits.js';

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

export interface FieldError {
  field: string;
  rule: string;
  message: string;
}

/** An error whose code and message callers may see. Any other error becomes an opaque `internal_error`. */
export class DomainError extends Error {
  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    /** Says what went wrong and what to do. */
    message: string,
    readonly errors: FieldError[] = [],
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** A `not_found` error that does not count toward the limit of misses, because the caller did not guess an id. */
export class UncountedNotFound extends DomainError {}

export class RateLimited extends DomainError {
  /**
   * @param retryAfterSeconds whole seconds, at least 1 @param policy the exhausted limit, if it allows a number of
   * requests per period
   */
  constructor(
    readonly retryAfterSeconds: number,
    readonly policy?: RateLimitPolicy,
    what = 'Too many requests.',
  ) {
    const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`;
    super('rate_limited', 'rate_limited', `${what} Try again in ${wait}.`);
  }
}

export function invalidField(field: string, rule: string, message: string): DomainError {
  return new DomainError('invalid', 'validation_failed', `${field}: ${message}`, [{ field, rule, message }]);
}

export function stateConflict(message: string): DomainError {
  return new DomainError('conflict', 'state_conflict', message);
}

export function unavailable(message: string): DomainError {
  return new DomainError('unavailable', 'unavailable', message);
}

export function unknownField(field: string, message: string): DomainError {
  const errors = [{ field, rule: 'unknown_field', message }];
  return new DomainError('invalid', 'unknown_field', `${field}: ${message}`, errors);
}

/** A record of another tenant must give the same error, so that callers cannot find out that it exists. */
export function notFound(what: string): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    `No such ${what}. Check the id, and that this credential has access to it.`,
  );
}
