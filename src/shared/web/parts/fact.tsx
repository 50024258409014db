import type { ComponentChildren, VNode } from 'preact';

/** A row of a `<dl class="facts">`. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
