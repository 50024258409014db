import type { RatePolicy } from './rate-limits.js';

/** Kinds in the words of the domain; `platform/http` alone knows which HTTP status each kind becomes. */
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

/** One refused field of an input: where it is, the rule it breaks and a sentence about that. */
export interface FieldError {
  /** Path in the input as the caller spelled it, e.g. `order.items[0].amount`. */
  field: string;
  /** Stable snake_case word, e.g. `decimal_amount`. */
  rule: string;
  message: string;
}

/** An error that callers may see. Anything else becomes an opaque `internal_error`. */
export class DomainError extends Error {
  constructor(
    readonly kind: ErrorKind,
    /** Stable snake_case word that programs may rely on. */
    readonly code: string,
    /** The cause and the next step, in plain words. */
    message: string,
    readonly errors: FieldError[] = [],
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** A `not_found` for a caller who guessed nothing. It does not count against the caller's limit of misses. */
export class NotFoundWithoutGuess extends DomainError {}

/** A caller asked more often than it may. */
export class RateLimited extends DomainError {
  /**
   * @param retryAfterSeconds whole, at least 1: from then on it may ask again
   * @param policy the limit that is used up, where it is one of so many in a time
   * @param what there is too much of, as a sentence
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

/** A refused input. @throws nothing itself; callers throw it. */
export function invalidField(field: string, rule: string, message: string): DomainError {
  return new DomainError('invalid', 'validation_failed', `${field}: ${message}`, [{ field, rule, message }]);
}

/** The state of a thing does not allow this now. @param message what to do instead, in plain words */
export function stateConflict(message: string): DomainError {
  return new DomainError('conflict', 'state_conflict', message);
}

/** The same call works again later. @param message whose fault it is and what to do, in plain words */
export function unavailable(message: string): DomainError {
  return new DomainError('unavailable', 'unavailable', message);
}

/** A field or key that the input may not have. */
export function unknownField(field: string, message: string): DomainError {
  const errors = [{ field, rule: 'unknown_field', message }];
  return new DomainError('invalid', 'unknown_field', `${field}: ${message}`, errors);
}

/** A missing thing, and another tenant's, which must be indistinguishable from it (docs/reference/README.md, "Identifiers"). */
export function notFound(what: string): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    `No such ${what}. Check the id, and that this credential has access to it.`,
  );
}
