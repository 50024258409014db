import { DomainError, RateLimited, type FieldError } from '#shared/kernel/domain-error.js';

/** Why a form was rejected: errors of its fields, or a message about the complete form. */
export interface FormRefusal {
  readonly status: 400 | 409 | 429;
  /** The problem and the next step, if no single field is wrong. */
  readonly message: string;
  readonly errors: readonly FieldError[];
  /** Only with status 429: seconds to wait. */
  readonly retryAfterSeconds?: number;
}

const STATUS_BY_ERROR_KIND: Partial<Record<DomainError['kind'], FormRefusal['status']>> = {
  invalid: 400,
  conflict: 409,
  rate_limited: 429,
};

/**
 * Runs the action of a form. Returns an error that the person can correct, so that the form can be displayed again with
 * all typed values. Throws all other errors.
 */
export async function catchFormRefusal(act: () => Promise<void>): Promise<FormRefusal | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return toFormRefusal(error);
  }
}

/** Converts an error to a form refusal. @throws the error itself if the person cannot correct it */
export function toFormRefusal(error: unknown): FormRefusal {
  const status = error instanceof DomainError ? STATUS_BY_ERROR_KIND[error.kind] : undefined;
  if (status === undefined) throw error;
  const { message, errors } = error as DomainError;
  const wait = error instanceof RateLimited ? { retryAfterSeconds: error.retryAfterSeconds } : {};
  return { status, message, errors, ...wait };
}
