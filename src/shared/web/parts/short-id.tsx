import type { VNode } from 'preact';
import { EXACT } from './exact.js';

interface ShortIdProps {
  /** An id, a hash or an address, in full. */
  readonly value: string;
  /** The page that it leads to. */
  readonly href?: string | undefined;
  /** The network's explorer, from the networks file; leads there where there is one. Paths: EIP-3091. */
  readonly explorer?: string | undefined;
  /** The kind of page at the explorer. */
  readonly kind?: 'tx' | 'address';
}

/** The number of characters that stay visible at the beginning, and at the end. */
const HEAD = 8;
const TAIL = 4;
/** Shorter values are shown whole. */
const SHORTENED_FROM = 20;

/**
 * A value shortened in its middle by the style alone: all of it is selected and read aloud, and stands in `title`, or in the
 * address that it leads to. The browser script adds a button that copies it.
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
