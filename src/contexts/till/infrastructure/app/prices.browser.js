// @ts-check
// Prices of a till as decimal strings: typed, added, multiplied, with a tip, and as the cashier's language writes them. Never a float.
import { formatUnits, parseUnits } from '#shared/web/script/units.browser.js';

/** No coin has more. */
const PLACES = 18;
/** A coin that is no currency may have so many digits typed behind the point; the service refuses those that it does not have. */
const TYPED_PLACES = 8;
const LONGEST_WHOLE = 9;
const LONGEST_ENTRY = 24;
/** `1.234`: the point can be between thousands or before a fraction. The server has the same rule (`typed-amount.ts`). */
const AMBIGUOUS = /^([1-9]\d{0,2})\.(\d{3})$/;

/** @param {string} amount */
const units = (amount) => parseUnits(amount, PLACES) ?? 0n;

/** @param {readonly string[]} amounts */
export const sum = (amounts) =>
  formatUnits(
    amounts.reduce((all, each) => all + units(each), 0n),
    PLACES,
  );

/** @param {string} amount @param {number} quantity */
export const times = (amount, quantity) => formatUnits(units(amount) * BigInt(quantity), PLACES);

/** `more` less `less`; never below zero. @param {string} more @param {string} less */
export function difference(more, less) {
  const rest = units(more) - units(less);
  return formatUnits(rest > 0n ? rest : 0n, PLACES);
}

/** @param {string} amount */
export const isAboveZero = (amount) => units(amount) > 0n;

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** ISO 4217's digits where they are not 2; those of `Intl` are others, such as 0 for `IQD`. */
const PLACES_OF = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((coin) => [coin, 0]),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((coin) => [coin, 3]),
  ...'CLF UYW'.split(' ').map((coin) => [coin, 4]),
]);

/** Digits behind the point; undefined for a coin that is no currency. @param {string} coin @returns {number | undefined} */
const currencyPlaces = (coin) => (CURRENCIES.has(coin) ? (PLACES_OF.get(coin) ?? 2) : PLACES_OF.get(coin));

/** A share of an amount, rounded to the coin's smallest piece, halves up. @param {string} amount @param {number} percentage @param {string} coin */
export function tipOf(amount, percentage, coin) {
  const piece = 10n ** BigInt(PLACES - (currencyPlaces(coin) ?? Math.max(2, placesOf(amount))));
  const share = units(amount) * BigInt(percentage);
  return formatUnits(((share + 50n * piece) / (100n * piece)) * piece, PLACES);
}

/** @param {string} amount */
const placesOf = (amount) => amount.split('.')[1]?.length ?? 0;

/** Whether a price can be typed with a point. @param {string} coin */
export const hasPoint = (coin) => currencyPlaces(coin) !== 0;

/**
 * The text on the pad after a key: a digit, `point` or `back`. It keeps every point and digit of a price that cannot be
 * charged: one that was dropped would leave another price. @param {string} entry @param {string} key
 */
export function pressed(entry, key) {
  if (key === 'back') return entry.slice(0, -1);
  if (key === 'point') return entry.length < LONGEST_ENTRY ? `${entry || '0'}.` : entry;
  if (entry === '0') return key;
  return entry.length < (entry.includes('.') ? LONGEST_ENTRY : LONGEST_WHOLE) ? entry + key : entry;
}

/**
 * The rule that a typed price breaks. An ambiguous one has both meanings.
 * @param {string} entry @param {string} coin
 * @returns {{ whole: string, fraction: string } | 'unreadable' | undefined}
 */
export function typedProblem(entry, coin) {
  const [, whole, fraction] = AMBIGUOUS.exec(entry) ?? [];
  if (whole !== undefined) return { whole: whole + fraction, fraction: `${whole}.${fraction}0` };
  if (parseUnits(complete(entry), LONGEST_ENTRY) === undefined) return 'unreadable';
  return placesOf(asAmount(entry)) > (currencyPlaces(coin) ?? TYPED_PLACES) ? 'unreadable' : undefined;
}

/** @param {string} entry */
const complete = (entry) => entry.replace(/\.$/, '') || '0';

/** A price as it goes to the service: `12.` becomes `12`. @param {string} entry */
export const asAmount = (entry) =>
  formatUnits(parseUnits(complete(entry), LONGEST_ENTRY) ?? 0n, LONGEST_ENTRY);

/** A price in the manner of the language, with all its digits. @param {string} amount @param {string} coin @param {string} language */
export function money(amount, coin, language) {
  const places = currencyPlaces(coin);
  if (places === undefined) return `${amount}\u00a0${coin}`;
  const [, fraction = ''] = amount.split('.');
  return parts(amount, coin, language, fraction.padEnd(places, '0'));
}

/** A price that is being typed: its fraction as far as it is there; every sign of one that cannot be charged. @param {string} entry @param {string} coin @param {string} language */
export function typedMoney(entry, coin, language) {
  if (currencyPlaces(coin) === undefined || typedProblem(entry, coin) !== undefined)
    return `${entry || '0'}\u00a0${coin}`;
  return parts(entry || '0', coin, language, entry.split('.')[1]);
}

/** @param {string} amount @param {string} coin @param {string} language @param {string | undefined} fraction undefined: without a point */
function parts(amount, coin, language, fraction) {
  const [whole = '0'] = amount.split('.');
  const places = fraction === undefined || (fraction === '' && !amount.includes('.')) ? 0 : 1;
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: coin,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return format
    .formatToParts(BigInt(whole))
    .map(({ type, value }) => (type === 'fraction' ? (fraction ?? '') : value))
    .join('');
}

/** The sign between whole and fraction. @param {string} language */
export const pointOf = (language) =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
