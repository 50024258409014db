import { DomainError, RateLimited, type FieldError } from '#shared/kernel/domain-error.js';

/** Why a form was not accepted: of its fields, or of the whole. */
export interface FormRefusal {
  readonly status: 400 | 409 | 429;
  /** The cause and the next step, where no field is to blame. */
  readonly message: string;
  readonly errors: readonly FieldError[];
  /** The wait of a 429. */
  readonly retryAfterSeconds?: number;
}

const STATUSES: Partial<Record<DomainError['kind'], FormRefusal['status']>> = {
  invalid: 400,
  conflict: 409,
  rate_limited: 429,
};

/**
 * Runs what a form asks for. A refusal that the person can mend comes back, to be shown at the form with all that they
 * typed; anything else is thrown.
 */
export async function refusalOf(act: () => Promise<void>): Promise<FormRefusal | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return refusalIn(error);
  }
}

/** @throws error itself where the person cannot mend it */
export function refusalIn(error: unknown): FormRefusal {
  const status = error instanceof DomainError ? STATUSES[error.kind] : undefined;
  if (status === undefined) throw error;
  const { message, errors } = error as DomainError;
  const wait = error instanceof RateLimited ? { retryAfterSeconds: error.retryAfterSeconds } : {};
  return { status, message, errors, ...wait };
}
