/** Hostile-looking values that a field takes, or refuses without naming itself, and why that is right. */
export interface Exception {
  /** Every operation that has the fields, unless one is named. */
  operation?: string;
  fields: readonly string[];
  /** Names of values; all that are hostile when absent, and then some may answer as usual. */
  values?: readonly string[];
  /** 200, or the error code. */
  answer: 200 | string;
  reason: string;
}

export const EXCEPTIONS: readonly Exception[] = [];
