import { DomainError, RateLimited, type FieldError } from '#shared/kernel/domain-error.js';

/** Why a form was rejected: field errors, or a message for the complete form. */
export interface FormRefusal {
  readonly status: 400 | 409 | 429;
  /** Cause and next step, if no field is at fault. */
  readonly message: string;
  readonly errors: readonly FieldError[];
  /** For status 429. */
  readonly retryAfterSeconds?: number;
}

const STATUSES: Partial<Record<DomainError['kind'], FormRefusal['status']>> = {
  invalid: 400,
  conflict: 409,
  rate_limited: 429,
};

/**
 * Runs the act of a form. Returns an error that the person can correct, so that the form can be displayed again with all
 * typed values. Rethrows other errors.
 */
export async function refusalOf(act: () => Promise<void>): Promise<FormRefusal | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return refusalIn(error);
  }
}

/** @throws `error` if the person cannot correct it */
export function refusalIn(error: unknown): FormRefusal {
  const status = error instanceof DomainError ? STATUSES[error.kind] : undefined;
  if (status === undefined) throw error;
  const { message, errors } = error as DomainError;
  const wait = error instanceof RateLimited ? { retryAfterSeconds: error.retryAfterSeconds } : {};
  return { status, message, errors, ...wait };
}
