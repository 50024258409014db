import type { RuleKind } from './mail-rule.js';

/** The kinds as forms and mails name them. */
export const KIND_WORDS: Readonly<Record<RuleKind, string>> = {
  completed: 'Completed payments',
  underpaid: 'Underpaid payments',
  deposit: 'Late and other deposits',
  refund: 'Refunds',
  failing_webhook: 'Failing webhooks',
  low_float: 'A low refund float',
  weekly_report: 'Weekly report',
  monthly_report: 'Monthly report',
};

/** The kinds in one line, with a capital at its beginning. */
export function kindsInWords(kinds: readonly RuleKind[]): string {
  const words = kinds.map((kind) => KIND_WORDS[kind].toLowerCase()).join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
