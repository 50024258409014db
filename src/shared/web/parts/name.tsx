import type { VNode } from 'preact';
import { ShortId } from './short-id.js';

interface NameProps {
  /** Missing or empty: the id stands in its place. */
  readonly name: string | null | undefined;
  readonly id: string;
  /** The page of the thing, whose address has the id. Without it the id unfolds below the name. */
  readonly href?: string | undefined;
}

/** A thing by its name, with its id on demand. */
export function Name({ name, id, href }: NameProps): VNode {
  if (name === null || name === undefined || name === '') return <ShortId value={id} href={href} />;
  if (href !== undefined)
    return (
      <a href={href}>
        <bdi>{name}</bdi>
      </a>
    );
  return (
    <details class="called">
      <summary>
        <bdi>{name}</bdi>
      </summary>
      <ShortId value={id} />
    </details>
  );
}
