import { currencyDigits } from './currency-digits.js';
import { decimalOf, roundedUnits, toDecimalText, type Decimal } from './decimal.js';
import { Refusal } from './refusal.js';

/** Price in the form that the service accepts. */
export interface Price {
  readonly amount: string;
  readonly coin_code: string;
}

/**
 * Converts an amount to a price. A shop's amounts can have more decimals than the currency, for example because of taxes. The price is
 * rounded half up to the decimals of the currency. Amounts in other codes are not rounded.
 * @param amount in any form that `toDecimal` accepts @throws Refusal if the amount is not a positive number
 */
export function priceOf(amount: unknown, currencyCode: string): Price {
  const coin = currencyCode.toUpperCase();
  const rounded = roundedPrice(amount, coin);
  if (rounded === '0') throw new Refusal('invalid_data', `The amount must be above zero, not 0 ${coin}.`);
  return { amount: rounded, coin_code: coin };
}

/** @returns the amount, rounded to the decimals of the currency @throws Refusal */
export function roundedPrice(amount: unknown, coin: string): string {
  const exact = toDecimal(amount);
  const digits = Math.min(currencyDigits(coin) ?? exact.scale, exact.scale);
  return toDecimalText(roundedUnits(exact, digits), digits);
}

/** @throws Refusal */
export function toDecimal(amount: unknown): Decimal {
  const text = textFrom(amount);
  try {
    return decimalOf(text);
  } catch {
    throw new Refusal('invalid_data', `The amount must be a non-negative number such as 10.5, not ${text}.`);
  }
}

/** Amounts in Medusa are strings, numbers, raw values from its database, or objects of two libraries. */
function textFrom(amount: unknown): string {
  if (typeof amount === 'object' && amount !== null) {
    const { raw, value } = amount as { raw?: { value?: unknown }; value?: unknown };
    const inner = raw?.value ?? value;
    return inner === undefined ? String(amount) : textFrom(inner);
  }
  return String(amount);
}
