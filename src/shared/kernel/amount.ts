/** Largest value of an EVM `uint256`, in smallest units; nothing larger can exist on a chain. */
export const MAX_AMOUNT = 2n ** 256n - 1n;

export type AmountProblem = 'not_a_decimal' | 'too_many_decimals' | 'not_positive' | 'too_large';

/**
 * No sign, exponent, leading zeros or spaces. Accepts trailing fraction zeros, such as "1000.00" in yen. @returns the
 * amount in smallest units, or the rule that the string breaks
 */
export function parseAmount(text: string, decimals: number): bigint | AmountProblem {
  if (text.length > 100 || !/^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)) return 'not_a_decimal';
  const [whole = '', fraction = ''] = withoutTrailingZeros(text).split('.');
  if (fraction.length > decimals) return 'too_many_decimals';
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (amount === 0n) return 'not_positive';
  return amount > MAX_AMOUNT ? 'too_large' : amount;
}

export function withoutTrailingZeros(text: string): string {
  return /^[0-9]+\.[0-9]+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** Formats smallest units as a decimal string in plain notation without trailing zeros. */
export function formatAmount(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}
