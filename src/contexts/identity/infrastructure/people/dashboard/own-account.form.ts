import { LONGEST_FIELD, Typed } from '#shared/platform/http/dashboard/typed-field.js';

export class ChangePasswordForm {
  @Typed(LONGEST_FIELD) current_password?: string;
  @Typed(LONGEST_FIELD) password?: string;
}

export class DoneQuery {
  @Typed(LONGEST_FIELD) done?: string;
}
