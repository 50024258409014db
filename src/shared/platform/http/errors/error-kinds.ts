import type { Request, Response } from 'express';
import type { ErrorKind, FieldError } from '#shared/kernel/domain-error.js';

export const HTTP_STATUS_OF_ERROR_KIND = {
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

export const HTTP_STATUS_OF_PLATFORM_ERROR = {
  method_not_allowed: 405,
  request_timeout: 408,
  headers_too_large: 431,
  internal: 500,
} as const;

export type HttpFailureKind = ErrorKind | keyof typeof HTTP_STATUS_OF_PLATFORM_ERROR;

export function httpStatusOf(kind: HttpFailureKind): number {
  return { ...HTTP_STATUS_OF_ERROR_KIND, ...HTTP_STATUS_OF_PLATFORM_ERROR }[kind];
}

export interface HttpFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: string;
  readonly errors?: FieldError[];
}

export abstract class ErrorPageSender {
  /**
   * Status and `Retry-After` are already set. @param exception for pages that display more than `failure` contains
   */
  abstract send(
    failure: HttpFailure & { readonly requestId: string },
    exception: unknown,
    request: Request,
    response: Response,
  ): void;
}
