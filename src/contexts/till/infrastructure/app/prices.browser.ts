// Calculates and formats prices as decimal strings, never as floats.
import { formatUnits, parseUnits } from '#shared/web/script/units.browser.js';

const PLACES = 18;
/** Limit for assets. The service rejects excess decimals. */
const TYPED_PLACES = 8;
const LONGEST_WHOLE = 9;
const LONGEST_ENTRY = 24;
/** The point could separate thousands or decimals (as in the server's `entered-amount.ts`). */
const AMBIGUOUS = /^([1-9]\d{0,2})\.(\d{3})$/;

const units = (amount: string) => parseUnits(amount, PLACES) ?? 0n;

export const sumPrices = (amounts: readonly string[]) =>
  formatUnits(
    amounts.reduce((all, each) => all + units(each), 0n),
    PLACES,
  );

export const multiplyPrice = (amount: string, quantity: number) =>
  formatUnits(units(amount) * BigInt(quantity), PLACES);

export function subtractPrice(more: string, less: string): string {
  const rest = units(more) - units(less);
  return formatUnits(rest > 0n ? rest : 0n, PLACES);
}

export const isAboveZero = (amount: string) => units(amount) > 0n;

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

const PLACES_OF = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((coin) => [coin, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((coin) => [coin, 3] as const),
  ...'CLF UYW'.split(' ').map((coin) => [coin, 4] as const),
]);

const currencyPlaces = (coin: string) =>
  CURRENCIES.has(coin) ? (PLACES_OF.get(coin) ?? 2) : PLACES_OF.get(coin);

/** Rounded half up to the smallest unit of the coin. */
export function tipOf(amount: string, percentage: number, coin: string): string {
  const piece = 10n ** BigInt(PLACES - (currencyPlaces(coin) ?? Math.max(2, placesOf(amount))));
  const share = units(amount) * BigInt(percentage);
  return formatUnits(((share + 50n * piece) / (100n * piece)) * piece, PLACES);
}

const placesOf = (amount: string) => amount.split('.')[1]?.length ?? 0;

export const coinHasDecimals = (coin: string) => currencyPlaces(coin) !== 0;

/**
 * `key`: a digit, `point` or `back`. Never ignores a key of an invalid price, because the result would be a different
 * price.
 */
export function entryAfterKey(entry: string, key: string): string {
  if (key === 'back') return entry.slice(0, -1);
  if (key === 'point') return entry.length < LONGEST_ENTRY ? `${entry || '0'}.` : entry;
  if (entry === '0') return key;
  return entry.length < (entry.includes('.') ? LONGEST_ENTRY : LONGEST_WHOLE) ? entry + key : entry;
}

/** For an ambiguous price such as `1.234`, both possible prices. */
export type PriceEntryProblem = { whole: string; fraction: string } | 'unreadable';

export function findPriceEntryProblem(entry: string, coin: string): PriceEntryProblem | undefined {
  const [, whole, fraction] = AMBIGUOUS.exec(entry) ?? [];
  if (whole !== undefined) return { whole: whole + fraction, fraction: `${whole}.${fraction}0` };
  if (parseUnits(complete(entry), LONGEST_ENTRY) === undefined) return 'unreadable';
  return placesOf(entryToAmount(entry)) > (currencyPlaces(coin) ?? TYPED_PLACES) ? 'unreadable' : undefined;
}

const complete = (entry: string) => entry.replace(/\.$/, '') || '0';

/** Converts `12.` to `12`. */
export const entryToAmount = (entry: string) =>
  formatUnits(parseUnits(complete(entry), LONGEST_ENTRY) ?? 0n, LONGEST_ENTRY);

export function formatPrice(amount: string, coin: string, language: string): string {
  const places = currencyPlaces(coin);
  if (places === undefined) return `${amount}\u00a0${coin}`;
  const [, fraction = ''] = amount.split('.');
  return parts(amount, coin, language, fraction.padEnd(places, '0'));
}

/** A price that cannot be charged stays as typed. */
export function formatPriceEntry(entry: string, coin: string, language: string): string {
  if (currencyPlaces(coin) === undefined || findPriceEntryProblem(entry, coin) !== undefined)
    return `${entry || '0'}\u00a0${coin}`;
  return parts(entry || '0', coin, language, entry.split('.')[1]);
}

/** Omits the decimal point if there is no fraction. */
function parts(amount: string, coin: string, language: string, fraction: string | undefined): string {
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

export const decimalPointOf = (language: string) =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
