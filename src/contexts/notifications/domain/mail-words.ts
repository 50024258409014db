import type { RuleKind } from './notification-rule.js';

/** The kinds as forms and mails name them. */
export const KIND_WORDS = {
  completed: 'Completed payments',
  underpaid: 'Underpaid payments',
  deposit: 'Unexpected payments',
  refund: 'Refunds',
  failing_webhook: 'Failing webhooks',
  low_float: 'Low refund float',
  weekly_report: 'Weekly report',
  monthly_report: 'Monthly report',
} as const satisfies Record<RuleKind, string>;

type KindWord = (typeof KIND_WORDS)[RuleKind];

/** The kinds in one line, with a capital at its beginning. @param words mails are English, pages translate */
export function kindsInWords(
  kinds: readonly RuleKind[],
  words: (word: KindWord) => string = (word) => word,
): string {
  const line = kinds.map((kind) => words(KIND_WORDS[kind]).toLowerCase()).join(', ');
  return line.charAt(0).toUpperCase() + line.slice(1);
}
