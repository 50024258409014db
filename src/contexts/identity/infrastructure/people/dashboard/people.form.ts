import { MAX_FIELD_LENGTH, Typed } from '#shared/platform/http/dashboard/typed-field.js';

/** A passkey's answer is this long at most, with a certificate in it. */
const MAX_PROOF_LENGTH = 20_000;

export class SignInForm {
  @Typed(MAX_FIELD_LENGTH) email?: string;
  @Typed(MAX_FIELD_LENGTH) password?: string;
  @Typed(2_000) then?: string;
}

export class SecondFactorForm {
  @Typed(MAX_PROOF_LENGTH) code?: string;
  @Typed(2_000) then?: string;
}

export class EnrolAuthenticatorForm {
  @Typed(MAX_FIELD_LENGTH) new_code?: string;
}

export class EnrolPasskeyForm {
  @Typed(MAX_FIELD_LENGTH) name?: string;
  @Typed(MAX_PROOF_LENGTH) answer?: string;
}

export class AcceptInvitationForm {
  @Typed(MAX_FIELD_LENGTH) name?: string;
  @Typed(MAX_FIELD_LENGTH) password?: string;
}

export class RequestResetForm {
  @Typed(MAX_FIELD_LENGTH) email?: string;
}

export class ResetPasswordForm {
  @Typed(MAX_FIELD_LENGTH) password?: string;
}

/** The page to go to once signed in. */
export class ThenQuery {
  @Typed(2_000) then?: string;
  @Typed(MAX_FIELD_LENGTH) done?: string;
}

export class ChangePasswordForm {
  @Typed(MAX_FIELD_LENGTH) current_password?: string;
  @Typed(MAX_FIELD_LENGTH) password?: string;
}

export class DoneQuery {
  @Typed(MAX_FIELD_LENGTH) done?: string;
}

export class InviteForm {
  @Typed(MAX_FIELD_LENGTH) email?: string;
  @Typed(MAX_FIELD_LENGTH) role?: string;
}

export class CollaboratorForm {
  @Typed(MAX_FIELD_LENGTH) role?: string;
  /** `on` or nothing. */
  @Typed(MAX_FIELD_LENGTH) enabled?: string;
}
