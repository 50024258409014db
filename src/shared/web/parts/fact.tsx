import type { ComponentChildren, VNode } from 'preact';
import { EXACT } from './exact.js';

interface FactProps {
  readonly name: string;
  /** For an amount or address. */
  readonly exact?: boolean;
  readonly children: ComponentChildren;
}

export function Fact({ name, exact = false, children }: FactProps): VNode {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd {...(exact && EXACT)}>{children}</dd>
    </div>
  );
}
