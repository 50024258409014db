import { DomainError } from './domain-error.js';

/**
 * The range begins with its first moment and ends before its second, so that ranges that follow each other share
 * nothing.
 */
export interface TimeRange {
  readonly from?: Date;
  readonly before?: Date;
}

/** @throws validation_failed naming both fields where the range ends before it begins; one without length is empty */
export function createdRange(from: Date | undefined, before: Date | undefined): TimeRange {
  if (from !== undefined && before !== undefined && from > before) {
    const message = 'must not be later than created_to.';
    const errors = [
      { field: 'created_from', rule: 'time_order', message },
      { field: 'created_to', rule: 'time_order', message: 'must not be earlier than created_from.' },
    ];
    throw new DomainError('invalid', 'validation_failed', `created_from: ${message}`, errors);
  }
  return { from, before };
}
