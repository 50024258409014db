import { LONGEST_FIELD, Typed } from '#shared/platform/http/dashboard/typed-field.js';

export class InviteForm {
  @Typed(LONGEST_FIELD) email?: string;
  @Typed(LONGEST_FIELD) role?: string;
}

export class CollaboratorForm {
  @Typed(LONGEST_FIELD) role?: string;
  /** `on` or nothing. */
  @Typed(LONGEST_FIELD) enabled?: string;
}
