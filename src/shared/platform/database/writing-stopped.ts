import { DomainError } from '../../kernel/domain-error.js';

/** The database lost what was acknowledged, and nothing is written until `operator recover` has been run. */
export class WritingStopped extends DomainError {
  constructor() {
    super(
      'unavailable',
      'writing_stopped',
      'The service does not accept changes now: its database lost confirmed data, and its operator is checking it. Try again later.',
    );
  }
}
