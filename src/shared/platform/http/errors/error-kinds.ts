import type { Request, Response } from 'express';
import type { ErrorKind, FieldError } from '#shared/kernel/domain-error.js';

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

export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: string;
  readonly errors?: FieldError[];
}

export abstract class FailurePages {
  /**
   * Status and `Retry-After` are already set. @param exception for pages that display more than `failure` contains
   */
  abstract send(
    failure: Failure & { readonly requestId: string },
    exception: unknown,
    request: Request,
    response: Response,
  ): void;
}
