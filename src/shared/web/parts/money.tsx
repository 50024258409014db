import type { VNode } from 'preact';
import { EXACT } from './exact.js';
import { useContext } from 'preact/hooks';
import { formatAmount } from '../../kernel/amount.js';
import { LANGUAGE } from '../dashboard/words/text.js';
import { readableAmount, shownNumber } from '../formatting/shown-amounts.js';

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
