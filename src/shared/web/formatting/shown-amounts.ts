import { currencyDigits } from '../../kernel/currency.js';
import type { PageLanguage } from '../messages/languages.js';

/**
 * @param amount decimal string in whole units; never converted to a float @param coinCode ISO 4217 currency or asset
 * symbol
 */
export function formatCoinAmount(amount: string, coinCode: string, language: PageLanguage): string {
  const digits = currencyDigits(coinCode);
  if (digits === undefined || !/^\d+(?:\.\d+)?$/.test(amount))
    return formatUngroupedAmount(amount, coinCode, language);
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

/** Decimal separators of the payer pages by language. Copied values, forms, files and the API use a point. */
const DECIMAL_SEPARATORS: Readonly<Record<PageLanguage, string>> = { en: '.', es: ',', pt: ',' };

/** Formats an amount of an asset for a payer: with all digits and at least two fraction digits, not grouped. */
export function formatUngroupedAmount(amount: string, symbol: string, language: PageLanguage): string {
  return `${padAmount(amount, symbol).replace('.', DECIMAL_SEPARATORS[language])}\u00a0${symbol}`;
}

/**
 * Thousands separators of the dashboard by language. Every language uses a decimal point there, as in forms, files and
 * the API. A comma as thousands separator could therefore be mistaken for a decimal comma in Spanish and Portuguese.
 */
const THOUSANDS: Readonly<Record<PageLanguage, string>> = { en: ',', es: '\u202f', pt: '\u202f' };

/** Formats a count with the same thousands separators as amounts. */
export function formatCount(count: number, language: PageLanguage): string {
  return count.toLocaleString('en').replaceAll(',', THOUSANDS[language]);
}

/** Minimum number of fraction digits for an asset, so that amounts in a column align. */
const MIN_FRACTION_DIGITS = 2;

/** Adds zeros up to the minimum number of fraction digits. Strings that are not decimal are returned unchanged. */
export function padAmount(amount: string, symbol: string): string {
  const [, whole, given = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined) return amount;
  const fraction = given.padEnd(currencyDigits(symbol) ?? MIN_FRACTION_DIGITS, '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * All digits, and at least as many fraction digits as the currency has. @param amount other strings are returned
 * unchanged
 */
export function readableAmount(amount: string, symbol: string, language: PageLanguage = 'en'): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(amount)) return amount;
  const [whole = '', ...fraction] = padAmount(amount, symbol).split('.');
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, THOUSANDS[language]), ...fraction].join('.');
}

const SHORT_DIGITS = 6;

/** Shortens the fraction of a decimal string to six significant digits, rounded down, but keeps two fraction digits. */
export function shortenAmount(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const wholeDigits = whole.replace(/^-?0*/, '').length;
  const zeros = wholeDigits > 0 ? 0 : /^0*/.exec(fraction)![0].length;
  const kept = fraction.slice(0, Math.max(MIN_FRACTION_DIGITS, SHORT_DIGITS - wholeDigits) + zeros);
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
