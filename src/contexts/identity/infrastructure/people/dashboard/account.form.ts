import { Typed } from '../../../../../shared/platform/http/dashboard/typed-field.js';

/** Longer than any value of a field. */
const LONGEST_FIELD = 400;

export class ChangePasswordForm {
  @Typed(LONGEST_FIELD) current_password?: string;
  @Typed(LONGEST_FIELD) password?: string;
}

export class DoneQuery {
  @Typed(LONGEST_FIELD) done?: string;
}
