import { DomainError, RateLimited, type FieldError } from '#shared/kernel/domain-error.js';

export interface FormRefusal {
  readonly status: 400 | 409 | 429;
  /** The problem and the next step, if no single field is wrong. */
  readonly message: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds?: number;
}

const STATUS_BY_ERROR_KIND: Partial<Record<DomainError['kind'], FormRefusal['status']>> = {
  invalid: 400,
  conflict: 409,
  rate_limited: 429,
};

/** Returns errors that the person can correct, and throws all others. */
export async function catchFormRefusal(act: () => Promise<void>): Promise<FormRefusal | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return toFormRefusal(error);
  }
}

export function toFormRefusal(error: unknown): FormRefusal {
  const status = error instanceof DomainError ? STATUS_BY_ERROR_KIND[error.kind] : undefined;
  if (status === undefined) throw error;
  const { message, errors } = error as DomainError;
  const wait = error instanceof RateLimited ? { retryAfterSeconds: error.retryAfterSeconds } : {};
  return { status, message, errors, ...wait };
}
