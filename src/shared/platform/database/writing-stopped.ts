import { DomainError } from '../../kernel/domain-error.js';

/** The database lost what was acknowledged, and nothing is written until `operator recover` has been run. */
export class WritingStopped extends DomainError {
  constructor() {
    super(
      'unavailable',
      'writing_stopped',
      'The service writes nothing at this moment: its database lost what it had confirmed, and its operator is looking at it. Try again later.',
    );
  }
}
