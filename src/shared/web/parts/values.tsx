import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { formatAmount } from '../../kernel/amount.js';
import { isUuid } from '../../kernel/ids.js';
import { LANGUAGE_CONTEXT, t } from '../dashboard/words/text.js';
import { formatCount, readableAmount, shortenAmount } from '../formatting/shown-amounts.js';
import { formatExactTime, formatRelativeTime } from '../formatting/shown-time.js';
import { NOT_TRANSLATED } from './detail-item.js';

interface MoneyProps {
  /** Smallest units of an asset with `decimals` fraction digits, or a decimal string in whole units. */
  readonly amount: bigint | string;
  /** Only for an amount in smallest units. */
  readonly decimals?: number;
  /** Asset symbol or ISO 4217 code. */
  readonly symbol: string;
  /** True to shorten the fraction, for summaries (`shortenAmount`). The full amount appears on hover. */
  readonly isShort?: boolean;
  /** True if the symbol is not displayed, because it is next to another amount of the row. */
  readonly isBare?: boolean;
}

/** An amount and a muted symbol, on one line. Use it in `numeric` columns. */
export function AmountText({
  amount,
  decimals = 0,
  symbol,
  isShort = false,
  isBare = false,
}: MoneyProps): VNode {
  const language = useContext(LANGUAGE_CONTEXT);
  const text = typeof amount === 'bigint' ? formatAmount(amount, decimals) : amount;
  const short = isShort ? shortenAmount(text) : text;
  return (
    <span class="money" {...NOT_TRANSLATED} {...(short === text ? {} : { title: `${text} ${symbol}` })}>
      {readableAmount(short, symbol, language)}
      {!isBare && <bdi>{`\u00a0${symbol}`}</bdi>}
    </span>
  );
}

export function CountText({ of }: { readonly of: number }): VNode {
  return <>{formatCount(of, useContext(LANGUAGE_CONTEXT))}</>;
}

/** The time of the page and the reader's time zone, provided by `DashboardPage`. */
export interface TimeDisplayContext {
  /** Time of the request by the service's clock. If absent, exact times are displayed instead of relative ones. */
  readonly now?: Date;
  /** IANA time zone. */
  readonly zone: string;
}

export const TIME_DISPLAY_CONTEXT = createContext<TimeDisplayContext>({ zone: 'UTC' });

interface WhenProps {
  /** Null or undefined if the event has not happened. */
  readonly at: Date | null | undefined;
  /** True to display the exact time, which people compare or quote. Tables hide the time zone, which the page states. */
  readonly exact?: boolean;
}

/** The exact time appears on hover and in the attribute `datetime`. */
export function TimeText({ at, exact = false }: WhenProps): VNode {
  const { now, zone } = useContext(TIME_DISPLAY_CONTEXT);
  const language = useContext(LANGUAGE_CONTEXT);
  if (at === null || at === undefined) return <span class="note">{t('never')}</span>;
  const title = formatExactTime(at, zone);
  return (
    <time dateTime={at.toISOString()} title={title}>
      {now === undefined || exact
        ? title.slice(0, -zone.length)
        : formatRelativeTime(at, now, zone, language)}
      {(now === undefined || exact) && <span class="in-zone">{zone}</span>}
    </time>
  );
}

interface ShortIdProps {
  /** The complete id, hash or address. */
  readonly value: string;
  readonly href?: string | undefined;
  /** Set in the networks file. The paths follow EIP-3091. */
  readonly explorer?: string | undefined;
  /** Type of the explorer's page. */
  readonly kind?: 'tx' | 'address';
}

/** Number of visible characters at the start and end of a shortened value. */
const VISIBLE_START_LENGTH = 8;
const VISIBLE_END_LENGTH = 4;
/** Minimum length of a value that is shortened. */
const MIN_SHORTENED_LENGTH = 20;

/** Shortened by style only: selection and screen readers get the full value. */
export function ShortId({ value, href, explorer, kind = 'tx' }: ShortIdProps): VNode {
  const isLink = (href ?? explorer) !== undefined;
  const code = (
    <code class="id" {...NOT_TRANSLATED} {...(isLink ? {} : { title: value })}>
      {value.length < MIN_SHORTENED_LENGTH ? (
        value
      ) : (
        <>
          {value.slice(0, VISIBLE_START_LENGTH)}
          <span>{value.slice(VISIBLE_START_LENGTH, -VISIBLE_END_LENGTH)}</span>
          {value.slice(-VISIBLE_END_LENGTH)}
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
  /** The record's name. If absent or empty, the id is displayed instead. */
  readonly name: string | null | undefined;
  readonly id: string;
  /** Path of the record's page, which contains the id. If absent, the id unfolds below the name. */
  readonly href?: string | undefined;
}

/** Displays a record's name, shortened if it is a UUID; its id appears on demand. */
export function RecordName({ name, id, href }: NameProps): VNode {
  if (!name || isUuid(name)) return <ShortId value={name || id} href={href} />;
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
