import type { VNode } from 'preact';
import { formatAmount } from '../../kernel/amount.js';
import { readableAmount } from '../formatting/shown-amounts.js';

interface MoneyProps {
  /** Smallest units of an asset with `decimals` fraction digits, or a decimal string in whole units. */
  readonly amount: bigint | string;
  /** Needed with smallest units alone. */
  readonly decimals?: number;
  /** Symbol of the asset, or ISO 4217 code. */
  readonly symbol: string;
}

/** An amount with all its digits, on one line, its symbol muted. A column of them is `numeric`. */
export function Money({ amount, decimals = 0, symbol }: MoneyProps): VNode {
  const text = typeof amount === 'bigint' ? formatAmount(amount, decimals) : amount;
  return (
    <span class="money">
      {readableAmount(text, symbol)}
      <bdi>{`\u00a0${symbol}`}</bdi>
    </span>
  );
}
