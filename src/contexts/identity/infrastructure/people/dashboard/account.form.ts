import { AnyText } from '../../../../../shared/platform/http/validation/field-rules.js';

const typed = () => AnyText({ maxLength: 400 }, { optional: true });

export class ChangePasswordForm {
  @typed() current_password?: string;
  @typed() password?: string;
}

export class DoneQuery {
  @typed() done?: string;
}
