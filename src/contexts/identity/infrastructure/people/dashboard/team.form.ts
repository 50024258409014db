import { MAX_FIELD_LENGTH, Typed } from '#shared/platform/http/dashboard/typed-field.js';

export class InviteForm {
  @Typed(MAX_FIELD_LENGTH) email?: string;
  @Typed(MAX_FIELD_LENGTH) role?: string;
}

export class CollaboratorForm {
  @Typed(MAX_FIELD_LENGTH) role?: string;
  /** `on` or nothing. */
  @Typed(MAX_FIELD_LENGTH) enabled?: string;
}
