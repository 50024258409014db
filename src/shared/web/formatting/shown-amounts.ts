import { currencyDigits } from '../../kernel/currency.js';
import type { PageLanguage } from '../messages/languages.js';

/**
 * A price or rate as its readers write it: a currency in the manner of their language, anything else with all its digits.
 * @param amount decimal string in whole units; never becomes a float, never loses a digit
 * @param coinCode ISO 4217 currency or asset symbol
 */
export function shownCoin(amount: string, coinCode: string, language: PageLanguage): string {
  const digits = currencyDigits(coinCode);
  if (digits === undefined || !/^\d+(?:\.\d+)?$/.test(amount)) return shownAsset(amount, coinCode);
  const [whole = '0', given = ''] = amount.split('.');
  const fraction = given.padEnd(digits, '0');
  // Intl formats at most 20 fraction digits, so it only decides where they go.
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

/** An amount of an asset as wallets write it, all digits and a point. */
export function shownAsset(amount: string, symbol: string): string {
  return `${amount}\u00a0${symbol}`;
}

/**
 * Between thousands. The point is before the fraction in every language, as in forms, files and the API: a comma would be
 * read as such a point where it is one.
 */
const THOUSANDS: Readonly<Record<PageLanguage, string>> = { en: ',', es: '\u202f', pt: '\u202f' };

/** A number of things, in the manner of amounts. */
export function shownNumber(count: number, language: PageLanguage): string {
  return count.toLocaleString('en').replaceAll(',', THOUSANDS[language]);
}

/** Fewer fraction digits are filled up with zeros where no currency says otherwise, so that amounts stand in line. */
const SHOWN_DIGITS = 2;

/**
 * An amount for people who compare: thousands apart, all digits, and no fewer of the fraction than its currency has.
 * @param amount decimal string in whole units; anything else is returned as it is
 */
export function readableAmount(amount: string, symbol: string, language: PageLanguage = 'en'): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (parts === null) return amount;
  const [, sign = '', whole = '', given = ''] = parts;
  const fraction = given.padEnd(currencyDigits(symbol) ?? SHOWN_DIGITS, '0');
  const grouped = sign + whole.replace(/\B(?=(?:\d{3})+$)/g, THOUSANDS[language]);
  return fraction === '' ? grouped : `${grouped}.${fraction}`;
}

/** `more` less `less`, both decimal strings, exactly. Never negative. */
export function difference(more: string, less: string): string {
  const places = Math.max(fractionOf(more).length, fractionOf(less).length);
  const rest = scaled(more, places) - scaled(less, places);
  if (rest <= 0n) return '0';
  const digits = rest.toString().padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - places);
  return places === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}

function fractionOf(amount: string): string {
  return amount.split('.')[1] ?? '';
}

function scaled(amount: string, places: number): bigint {
  return BigInt((amount.split('.')[0] ?? '') + fractionOf(amount).padEnd(places, '0'));
}
