import { currencyDigits } from '../../kernel/currency.js';
import type { PageLanguage } from '../messages/languages.js';

/**
 * @param amount decimal string in whole units; never converted to a float @param coinCode ISO 4217 currency or asset
 * symbol
 */
export function formatCoin(amount: string, coinCode: string, language: PageLanguage): string {
  const digits = currencyDigits(coinCode);
  if (digits === undefined || !/^\d+(?:\.\d+)?$/.test(amount)) return formatAsset(amount, coinCode);
  const [whole = '0', given = ''] = amount.split('.');
  const fraction = given.padEnd(digits, '0');
  // Intl formats at most 20 fraction digits, so it only shows where the fraction goes; the digits are inserted
  // afterwards.
  const places = fraction === '' ? 0 : 1;
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: coinCode,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return format
    .formatToParts(BigInt(whole))
    .map(({ type, value }) => (type === 'fraction' ? fraction : value))
    .join('');
}

/** Formats an amount of an asset as wallets do: with all digits and a decimal point. */
export function formatAsset(amount: string, symbol: string): string {
  return `${amount}\u00a0${symbol}`;
}

/**
 * Every language uses a decimal point, so a comma could be mistaken for a decimal comma in Spanish and Portuguese.
 */
const THOUSANDS: Readonly<Record<PageLanguage, string>> = { en: ',', es: '\u202f', pt: '\u202f' };

/** Formats a count with the same thousands separators as amounts. */
export function formatCount(count: number, language: PageLanguage): string {
  return count.toLocaleString('en').replaceAll(',', THOUSANDS[language]);
}

/** Minimum number of fraction digits for an asset, so that amounts in a column align. */
const MIN_FRACTION_DIGITS = 2;

/**
 * All digits, and at least as many fraction digits as the currency has. @param amount other strings are returned
 * unchanged
 */
export function readableAmount(amount: string, symbol: string, language: PageLanguage = 'en'): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (parts === null) return amount;
  const [, sign = '', whole = '', given = ''] = parts;
  const fraction = given.padEnd(currencyDigits(symbol) ?? MIN_FRACTION_DIGITS, '0');
  const grouped = sign + whole.replace(/\B(?=(?:\d{3})+$)/g, THOUSANDS[language]);
  return fraction === '' ? grouped : `${grouped}.${fraction}`;
}

const SHORT_DIGITS = 6;

/**
 * Shortens the fraction of a decimal string to six significant digits, rounded down. The integer part keeps its digits.
 */
export function shortenAmount(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const wholeDigits = whole.replace(/^-?0*/, '').length;
  const zeros = wholeDigits > 0 ? 0 : /^0*/.exec(fraction)![0].length;
  const kept = fraction.slice(0, Math.max(0, SHORT_DIGITS - wholeDigits) + zeros);
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** Subtracts decimal strings exactly. Returns "0" instead of a negative difference. */
export function subtractDecimals(more: string, less: string): string {
  const places = Math.max(fractionOf(more).length, fractionOf(less).length);
  const rest = toScaledInteger(more, places) - toScaledInteger(less, places);
  if (rest <= 0n) return '0';
  const digits = rest.toString().padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - places);
  return places === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}

function fractionOf(amount: string): string {
  return amount.split('.')[1] ?? '';
}

function toScaledInteger(amount: string, places: number): bigint {
  return BigInt((amount.split('.')[0] ?? '') + fractionOf(amount).padEnd(places, '0'));
}
