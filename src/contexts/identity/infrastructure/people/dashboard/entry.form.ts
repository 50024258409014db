import { AnyText } from '../../../../../shared/platform/http/validation/field-rules.js';

const LONGEST_FIELD = 400;
/** Of a passkey's answer, which holds a certificate at most. */
const LONGEST_PROOF = 20_000;

/** What people type is judged by the use case, so that the form can be shown again with all of it. */
function Typed(max = LONGEST_FIELD) {
  return AnyText({ maxLength: max }, { optional: true });
}

export class SignInForm {
  @Typed() email?: string;
  @Typed() password?: string;
  @Typed(2_000) then?: string;
}

export class SecondFactorForm {
  @Typed(LONGEST_PROOF) code?: string;
  @Typed(2_000) then?: string;
}

export class EnrolAuthenticatorForm {
  @Typed() new_code?: string;
}

export class EnrolPasskeyForm {
  @Typed() name?: string;
  @Typed(LONGEST_PROOF) answer?: string;
}

export class AcceptInvitationForm {
  @Typed() name?: string;
  @Typed() password?: string;
}

export class RequestResetForm {
  @Typed() email?: string;
}

export class ResetPasswordForm {
  @Typed() password?: string;
}

/** Where to go once signed in. */
export class ThenQuery {
  @Typed(2_000) then?: string;
  @Typed() done?: string;
}
