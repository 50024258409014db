import { DomainError } from '#shared/kernel/domain-error.js';
import {
  homeOf,
  rolesThatMay,
  shownRole,
  type CollaboratorRole,
  type DashboardAction,
  type SessionStage,
} from '#shared/kernel/dashboard-access.js';
import { DASHBOARD_ACTS, type DashboardActName } from '#shared/platform/http/dashboard/dashboard-acts.js';
import type { FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';

/** There is no session, or it is not at the stage that the page needs. */
export class SignInNeeded extends DomainError {
  /** @param stage that the session is at; absent without one */
  constructor(readonly stage?: SessionStage) {
    super('unauthenticated', 'credentials_invalid', 'Sign in to continue.');
  }
}

/** The second factor has to be shown again before this page. */
export class ProofNeeded extends DomainError {
  constructor() {
    super('forbidden', 'role_required', 'Confirm your second factor to continue.');
  }
}

/** The second factor has to be shown again before a form's act: the page that asks keeps the typed text and sends it again. */
export class ActProofNeeded extends DomainError {
  /** @param refusal of a proof that was wrong */
  constructor(
    readonly act: DashboardActName,
    readonly typed: Readonly<Record<string, unknown>>,
    /** True where the person can show a passkey in place of a code. */
    readonly hasPasskey: boolean,
    readonly refusal?: FormRefusal,
  ) {
    super('forbidden', 'role_required', `To ${DASHBOARD_ACTS[act].does}, confirm your second factor.`);
  }
}

/** The person may not do this. */
export class DashboardRoleMissing extends DomainError {
  /** The page that the person may begin at. */
  readonly home: string;

  constructor(role: CollaboratorRole, action: DashboardAction) {
    const roles = rolesThatMay(action).map(shownRole).join(' or ');
    super(
      'forbidden',
      'role_required',
      `This action requires the role ${roles}. Your role is ${shownRole(role)}.`,
    );
    this.home = homeOf(role);
  }
}
