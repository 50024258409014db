import type { VNode } from 'preact';

/** The head of a page: the merchant's name, with its first letter as mark. */
export function NameBar({ name, badge }: { readonly name: string; readonly badge?: string }): VNode {
  const [initial = ''] = name.trim();
  return (
    <header class="bar">
      <span class="initial" aria-hidden="true">
        {initial.toUpperCase()}
      </span>
      <bdi class="name">{name}</bdi>
      {badge !== undefined && <span class="badge">{badge}</span>}
    </header>
  );
}
