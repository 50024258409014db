const PLAIN = /^(?:0|[1-9]\d*)(?:\.(\d+))?$/;
const LOOSE = /^\d+(?:\.\d+)?$/;

/** A decimal amount in plain notation, in the smallest unit. @returns null where it is none */
export function units(text: unknown, decimals: number): bigint | null {
  if (typeof text !== 'string') return null;
  const match = PLAIN.exec(text);
  if (match === null) return null;
  const fraction = match[1] ?? '';
  if (fraction.length > decimals) return null;
  return BigInt(text.replace('.', '') + '0'.repeat(decimals - fraction.length));
}

/** An amount as a minus may stand before it: a reversal's. */
export function signedUnits(text: unknown, decimals: number): bigint | null {
  if (typeof text !== 'string' || !text.startsWith('-')) return units(text, decimals);
  const amount = units(text.slice(1), decimals);
  return amount === null ? null : -amount;
}

/** Decimal text of an amount in the smallest unit. */
export function decimal(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return (amount < 0n ? '-' : '') + whole + (fraction === '' ? '' : `.${fraction}`);
}

/** How far a text is an amount that a request may name: `open` where the documents do not say. */
export function requestedAmount(text: unknown, decimals: number): bigint | 'refused' | 'open' {
  const amount = units(text, decimals);
  if (amount !== null) return amount > 0n ? amount : 'refused';
  if (typeof text !== 'string') return 'refused';
  if (!LOOSE.test(text)) return 'refused';
  // Leading zeros, or a fraction whose last digits are zeros beyond those of the asset.
  const [, fraction = ''] = text.split('.');
  return /[1-9]/.test(fraction.slice(decimals)) ? 'refused' : 'open';
}

/** The service fee of an amount: floor(gross × basis points / 10000). */
export function feeOf(gross: bigint, basisPoints: number): bigint {
  return (gross * BigInt(basisPoints)) / 10_000n;
}
