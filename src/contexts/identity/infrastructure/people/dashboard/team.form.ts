import { AnyText } from '../../../../../shared/platform/http/validation/field-rules.js';

const typed = () => AnyText({ maxLength: 400 }, { optional: true });

export class InviteForm {
  @typed() email?: string;
  @typed() role?: string;
}

export class CollaboratorForm {
  @typed() role?: string;
  /** `on` or nothing. */
  @typed() enabled?: string;
}
