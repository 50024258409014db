import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { formatAmount } from '../../kernel/amount.js';
import { LANGUAGE, t } from '../dashboard/words/text.js';
import { readableAmount, shownNumber } from '../formatting/shown-amounts.js';
import { exactTime, relativeTime } from '../formatting/shown-time.js';
import { EXACT } from './facts.js';

interface MoneyProps {
  /** Smallest units of an asset with `decimals` fraction digits, or a decimal string in whole units. */
  readonly amount: bigint | string;
  /** Needed only with smallest units. */
  readonly decimals?: number;
  /** Asset symbol or ISO 4217 code. */
  readonly symbol: string;
}

/** An amount with all digits, on one line, with a muted symbol. Use in `numeric` columns. */
export function Money({ amount, decimals = 0, symbol }: MoneyProps): VNode {
  const text = typeof amount === 'bigint' ? formatAmount(amount, decimals) : amount;
  return (
    <span class="money" {...EXACT}>
      {readableAmount(text, symbol, useContext(LANGUAGE))}
      <bdi>{`\u00a0${symbol}`}</bdi>
    </span>
  );
}

export function Count({ of }: { readonly of: number }): VNode {
  return <>{shownNumber(of, useContext(LANGUAGE))}</>;
}

/** The page's time and the reader's time zone, provided by `DashboardPage`. */
export interface Reader {
  /** Service clock at the request. Without it, times are exact. */
  readonly now?: Date;
  /** IANA time zone. */
  readonly zone: string;
}

export const READER = createContext<Reader>({ zone: 'UTC' });

interface WhenProps {
  /** Null or undefined: has not happened. */
  readonly at: Date | null | undefined;
  /** Displays the exact time, for facts that are compared or quoted. */
  readonly exact?: boolean;
}

/** A relative time, with the exact time on hover and to the millisecond in `datetime`. */
export function When({ at, exact = false }: WhenProps): VNode {
  const { now, zone } = useContext(READER);
  const language = useContext(LANGUAGE);
  if (at === null || at === undefined) return <span class="note">{t('never')}</span>;
  const title = exactTime(at, zone);
  return (
    <time dateTime={at.toISOString()} title={title}>
      {exact || now === undefined ? title : relativeTime(at, now, zone, language)}
    </time>
  );
}

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
