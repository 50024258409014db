import { DomainError } from '#shared/kernel/domain-error.js';
import { ERROR_CODES } from '../errors/error-codes.js';

/** The first request under the key is not answered yet. */
export class IdempotencyInProgress extends DomainError {
  readonly retryAfterSeconds = 1;

  constructor() {
    super('conflict', 'idempotency_in_progress', ERROR_CODES.idempotency_in_progress.sentence);
  }
}
