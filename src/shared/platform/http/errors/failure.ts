import type { Request, Response } from 'express';
import type { FieldError } from '#shared/kernel/domain-error.js';

/** The caller reads this of an error; `describeFailure` alone decides it. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: string;
  readonly errors?: FieldError[];
}

/** Shows people in a page what programs read in JSON. */
export abstract class FailurePages {
  /**
   * Answers with a page, or leads to one. Status and waiting time are logged and set already.
   * @param exception what was thrown, for pages that can show more than the failure has
   */
  abstract send(
    failure: Failure & { readonly requestId: string },
    exception: unknown,
    request: Request,
    response: Response,
  ): void;
}
