import { DomainError } from '../../../../../shared/kernel/domain-error.js';
import {
  rolesThatMay,
  shownRole,
  type CollaboratorRole,
  type DashboardAction,
  type SessionStage,
} from '../../../../../shared/kernel/dashboard-access.js';

/** There is no session, or it has not come so far. */
export class SignInNeeded extends DomainError {
  /** @param stage that the session is at; absent without one */
  constructor(readonly stage?: SessionStage) {
    super('unauthenticated', 'credentials_invalid', 'Sign in to go on.');
  }
}

/** The second factor is to be shown again before this. */
export class ProofNeeded extends DomainError {
  constructor() {
    super('forbidden', 'role_required', 'Show your second factor again to go on.');
  }
}

/** The person may not do this. */
export class DashboardRoleMissing extends DomainError {
  constructor(role: CollaboratorRole, action: DashboardAction) {
    const roles = rolesThatMay(action).map(shownRole).join(' or ');
    super('forbidden', 'role_required', `This needs the role ${roles}. You are ${shownRole(role)}.`);
  }
}
