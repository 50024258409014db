import type { ComponentChildren, VNode } from 'preact';
import { useWords, type Text } from '../dashboard/words/text.js';

interface EmptyStateProps {
  /** A sentence that says what is missing. */
  readonly title: Text;
  /** The next step, or how items appear automatically. */
  readonly children?: ComponentChildren;
  /** Link to the next step; omitted if the visitor may not take it. */
  readonly action?: { readonly href: string; readonly label: Text } | undefined;
}

/** Replaces an empty list, as `empty` of `ListTable` and `ListPage`. */
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
