import type { VNode } from 'preact';
import { EXACT } from './exact.js';

interface ShortIdProps {
  /** Id, hash or address, in full. */
  readonly value: string;
  readonly href?: string | undefined;
  /** Explorer of the network, from the networks file. If set, the id links to it. Paths: EIP-3091. */
  readonly explorer?: string | undefined;
  /** Kind of page at the explorer. */
  readonly kind?: 'tx' | 'address';
}

/** Visible characters at the start and at the end. */
const HEAD = 8;
const TAIL = 4;
/** Shorter values are displayed in full. */
const SHORTENED_FROM = 20;

/**
 * A value shortened in the middle, by style only: selection and screen readers get the full value, and so does `title` or
 * the link. The browser script adds a copy button.
 */
export function ShortId({ value, href, explorer, kind = 'tx' }: ShortIdProps): VNode {
  const isLink = (href ?? explorer) !== undefined;
  const code = (
    <code class="id" {...EXACT} {...(isLink ? {} : { title: value })}>
      {value.length < SHORTENED_FROM ? (
        value
      ) : (
        <>
          {value.slice(0, HEAD)}
          <span>{value.slice(HEAD, -TAIL)}</span>
          {value.slice(-TAIL)}
        </>
      )}
    </code>
  );
  if (href !== undefined) return <a href={href}>{code}</a>;
  if (explorer === undefined) return code;
  return (
    <a href={`${explorer}/${kind}/${value}`} target="_blank" rel="noreferrer">
      {code}
    </a>
  );
}
