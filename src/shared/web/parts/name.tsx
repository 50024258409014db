import type { VNode } from 'preact';
import { ShortId } from './short-id.js';

interface NameProps {
  /** If missing or empty, the id is displayed. */
  readonly name: string | null | undefined;
  readonly id: string;
  /** Page of the record, whose path has the id. Without it, the id unfolds below the name. */
  readonly href?: string | undefined;
}

/** A record's name, with its id on demand. */
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
