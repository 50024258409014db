import { DomainError } from '#shared/kernel/domain-error.js';

/** A session ended while a form was filled in. */
export class SessionEnded extends DomainError {
  constructor() {
    super('conflict', 'state_conflict', 'The session has ended meanwhile. Sign in again.');
  }
}
