/** Exact non-negative number: `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const NUMBER = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** @throws RangeError if the text is not a non-negative decimal number */
export function decimalOf(text: string): Decimal {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(text.trim()) ?? [];
  if (whole === undefined) throw new RangeError(`${text} is not an amount.`);
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** @returns the number in units of the last decimal, rounded half up */
export function roundedUnits({ digits, scale }: Decimal, fractionDigits: number): bigint {
  if (scale <= fractionDigits) return digits * 10n ** BigInt(fractionDigits - scale);
  const divisor = 10n ** BigInt(scale - fractionDigits);
  return (digits + divisor / 2n) / divisor;
}

/** @returns the number as text, without trailing zeros */
export function toDecimalText(units: bigint, fractionDigits: number): string {
  const digits = units.toString().padStart(fractionDigits + 1, '0');
  const at = digits.length - fractionDigits;
  const fraction = digits.slice(at).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`;
}
