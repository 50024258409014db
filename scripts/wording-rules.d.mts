export interface WordingRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Says what to write. */
  readonly write: string;
  /** Its fixture. */
  readonly wrong: string;
  readonly right: string;
}

export const WORDING_RULES: readonly WordingRule[];

export function faultsOfWording(text: string): { rule: WordingRule; index: number; found: string }[];
