import { MAX_FIELD_LENGTH, Typed } from '#shared/platform/http/dashboard/typed-field.js';

export class ChangePasswordForm {
  @Typed(MAX_FIELD_LENGTH) current_password?: string;
  @Typed(MAX_FIELD_LENGTH) password?: string;
}

export class DoneQuery {
  @Typed(MAX_FIELD_LENGTH) done?: string;
}
