import { LONGEST_FIELD, Typed } from '#shared/platform/http/dashboard/typed-field.js';

/** A passkey's answer is this long at most, with a certificate in it. */
const MAX_PROOF_LENGTH = 20_000;

export class SignInForm {
  @Typed(LONGEST_FIELD) email?: string;
  @Typed(LONGEST_FIELD) password?: string;
  @Typed(2_000) then?: string;
}

export class SecondFactorForm {
  @Typed(MAX_PROOF_LENGTH) code?: string;
  @Typed(2_000) then?: string;
}

export class EnrolAuthenticatorForm {
  @Typed(LONGEST_FIELD) new_code?: string;
}

export class EnrolPasskeyForm {
  @Typed(LONGEST_FIELD) name?: string;
  @Typed(MAX_PROOF_LENGTH) answer?: string;
}

export class AcceptInvitationForm {
  @Typed(LONGEST_FIELD) name?: string;
  @Typed(LONGEST_FIELD) password?: string;
}

export class RequestResetForm {
  @Typed(LONGEST_FIELD) email?: string;
}

export class ResetPasswordForm {
  @Typed(LONGEST_FIELD) password?: string;
}

/** The page to go to once signed in. */
export class ThenQuery {
  @Typed(2_000) then?: string;
  @Typed(LONGEST_FIELD) done?: string;
}

export class ChangePasswordForm {
  @Typed(LONGEST_FIELD) current_password?: string;
  @Typed(LONGEST_FIELD) password?: string;
}

export class DoneQuery {
  @Typed(LONGEST_FIELD) done?: string;
}

export class InviteForm {
  @Typed(LONGEST_FIELD) email?: string;
  @Typed(LONGEST_FIELD) role?: string;
}

export class CollaboratorForm {
  @Typed(LONGEST_FIELD) role?: string;
  /** `on` or nothing. */
  @Typed(LONGEST_FIELD) enabled?: string;
}
