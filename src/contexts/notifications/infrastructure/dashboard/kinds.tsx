import type { VNode } from 'preact';
import { useWords } from '#shared/web/dashboard/words/text.js';
import type { RuleKind } from '../../domain/notification-rule.js';
import { kindsInWords } from '../../domain/mail-words.js';

/** The kinds in one line, in the reader's language. */
export function Kinds({ of }: { readonly of: readonly RuleKind[] }): VNode {
  return <>{kindsInWords(of, useWords())}</>;
}
