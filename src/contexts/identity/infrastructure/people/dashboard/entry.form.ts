import { LONGEST_FIELD, Typed } from '#shared/platform/http/dashboard/typed-field.js';

/** Of a passkey's answer, which holds a certificate at most. */
const LONGEST_PROOF = 20_000;

export class SignInForm {
  @Typed(LONGEST_FIELD) email?: string;
  @Typed(LONGEST_FIELD) password?: string;
  @Typed(2_000) then?: string;
}

export class SecondFactorForm {
  @Typed(LONGEST_PROOF) code?: string;
  @Typed(2_000) then?: string;
}

export class EnrolAuthenticatorForm {
  @Typed(LONGEST_FIELD) new_code?: string;
}

export class EnrolPasskeyForm {
  @Typed(LONGEST_FIELD) name?: string;
  @Typed(LONGEST_PROOF) answer?: string;
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

/** Where to go once signed in. */
export class ThenQuery {
  @Typed(2_000) then?: string;
  @Typed(LONGEST_FIELD) done?: string;
}
