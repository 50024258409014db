import { Typed } from '#shared/platform/http/dashboard/typed-field.js';

export class ReplayForm {
  @Typed() from?: string;
  @Typed() to?: string;
  /** Which button was pressed: `count` only counts. */
  @Typed() act?: string;
}
