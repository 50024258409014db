import { currencyDigits } from './currency-digits.js';
import { decimalOf, roundedUnits, textOf, type Decimal } from './decimal.js';
import { Refusal } from './refusal.js';

/** A price as the service takes it. */
export interface Price {
  readonly amount: string;
  readonly coin_code: string;
}

/**
 * Medusa keeps more fraction digits than a currency has, such as those of a tax. The price is rounded to those of the currency, half
 * up, as Medusa compares amounts; the amount of another code is kept as it is.
 * @param amount in any form that Medusa has @throws Refusal where it is no amount that can be asked for
 */
export function priceOf(amount: unknown, currencyCode: string): Price {
  const coin = currencyCode.toUpperCase();
  const rounded = roundedPrice(amount, coin);
  if (rounded === '0') throw new Refusal('invalid_data', `The amount must be above zero; it is 0 ${coin}.`);
  return { amount: rounded, coin_code: coin };
}

/** @returns the amount in the digits of the currency @throws Refusal */
export function roundedPrice(amount: unknown, coin: string): string {
  const exact = exactly(amount);
  const digits = Math.min(currencyDigits(coin) ?? exact.scale, exact.scale);
  return textOf(roundedUnits(exact, digits), digits);
}

/** @throws Refusal */
export function exactly(amount: unknown): Decimal {
  const text = spelled(amount);
  try {
    return decimalOf(text);
  } catch {
    throw new Refusal('invalid_data', `The amount must be a number that is not negative; it is ${text}.`);
  }
}

/** Medusa's amounts are texts, numbers, raw values from its database, or objects of two libraries. */
function spelled(amount: unknown): string {
  if (typeof amount === 'object' && amount !== null) {
    const { raw, value } = amount as { raw?: { value?: unknown }; value?: unknown };
    const inner = raw?.value ?? value;
    return inner === undefined ? String(amount) : spelled(inner);
  }
  return String(amount);
}
