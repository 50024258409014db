import type { Request, Response } from 'express';
import type { ErrorKind, FieldError } from '#shared/kernel/domain-error.js';

/** HTTP status of each kind of domain error. A kind without a status does not compile. */
export const STATUS_OF_KIND = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/** HTTP status of error kinds that are not domain errors. */
export const STATUS_OF_PLATFORM_KIND = {
  method_not_allowed: 405,
  request_timeout: 408,
  headers_too_large: 431,
  internal: 500,
} as const;

export type FailureKind = ErrorKind | keyof typeof STATUS_OF_PLATFORM_KIND;

export function statusOf(kind: FailureKind): number {
  return { ...STATUS_OF_KIND, ...STATUS_OF_PLATFORM_KIND }[kind];
}

/** The part of an error that the caller receives. Only `describeFailure` creates it. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: string;
  readonly errors?: FieldError[];
}

/** Renders failures as HTML pages instead of JSON. */
export abstract class FailurePages {
  /**
   * Sends an error page or a redirect. The failure is already logged, and status and `Retry-After` are set.
   * @param exception the thrown error, for pages that display more than `failure` contains
   */
  abstract send(
    failure: Failure & { readonly requestId: string },
    exception: unknown,
    request: Request,
    response: Response,
  ): void;
}
