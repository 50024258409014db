import type { ComponentChildren, VNode } from 'preact';
import { useWords, type Text } from '../dashboard/words/text.js';

interface EmptyStateProps {
  /** A sentence that says what is missing. */
  readonly title: Text;
  /** The next step, or how things come here by themselves. */
  readonly children?: ComponentChildren;
  /** Leads to the next step; left out where the person may not take it. */
  readonly action?: { readonly href: string; readonly label: Text } | undefined;
}

/** Stands in place of an empty list, as the `empty` of `ListTable` and `ListPage`. */
export function EmptyState({ title, children, action }: EmptyStateProps): VNode {
  const words = useWords();
  return (
    <>
      <p class="strong">{words(title)}</p>
      {children !== undefined && <p class="note">{children}</p>}
      {action !== undefined && (
        <a class="button primary" href={action.href}>
          {words(action.label)}
        </a>
      )}
    </>
  );
}
