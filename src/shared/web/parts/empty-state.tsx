import type { ComponentChildren, VNode } from 'preact';

interface EmptyStateProps {
  /** A sentence that says what is missing. */
  readonly title: string;
  /** The next step, or how things come here by themselves. */
  readonly children?: ComponentChildren;
  /** Leads to the next step; left out where the person may not take it. */
  readonly action?: { readonly href: string; readonly label: string } | undefined;
}

/** Stands in place of an empty list, as the `empty` of `ListTable` and `ListPage`. */
export function EmptyState({ title, children, action }: EmptyStateProps): VNode {
  return (
    <>
      <p class="strong">{title}</p>
      {children !== undefined && <p class="note">{children}</p>}
      {action !== undefined && (
        <a class="button primary" href={action.href}>
          {action.label}
        </a>
      )}
    </>
  );
}
