import { MAX_FIELD_LENGTH, Typed } from '#shared/platform/http/dashboard/typed-field.js';

/** Of a passkey's answer, which holds a certificate at most. */
const LONGEST_PROOF = 20_000;

export class SignInForm {
  @Typed(MAX_FIELD_LENGTH) email?: string;
  @Typed(MAX_FIELD_LENGTH) password?: string;
  @Typed(2_000) then?: string;
}

export class SecondFactorForm {
  @Typed(LONGEST_PROOF) code?: string;
  @Typed(2_000) then?: string;
}

export class EnrolAuthenticatorForm {
  @Typed(MAX_FIELD_LENGTH) new_code?: string;
}

export class EnrolPasskeyForm {
  @Typed(MAX_FIELD_LENGTH) name?: string;
  @Typed(LONGEST_PROOF) answer?: string;
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

/** Where to go once signed in. */
export class ThenQuery {
  @Typed(2_000) then?: string;
  @Typed(MAX_FIELD_LENGTH) done?: string;
}
