import type { ComponentChildren, VNode } from 'preact';

export function Fact({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
