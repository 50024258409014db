import { data } from 'currency-codes';
import { invalidField } from './domain-error.js';

/** Metals, units of account, tests and "no currency", for which ISO 4217 defines no minor unit. */
const NON_PAYMENT_CODES = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ');
/** Currencies withdrawn from ISO 4217 after June 2024, when the library's list was made. */
const WITHDRAWN_CODES = ['ANG', 'BGN', 'CUC'];
const DIGITS_MISSING_IN_LIBRARY: readonly (readonly [string, number])[] = [['XCG', 2]];

const rejectedCodes = new Set([...NON_PAYMENT_CODES, ...WITHDRAWN_CODES]);
const digitsByCode = new Map([
  ...data.filter(({ code }) => !rejectedCodes.has(code)).map(({ code, digits }) => [code, digits] as const),
  ...DIGITS_MISSING_IN_LIBRARY,
]);

const FREQUENT_CODES = 'USD EUR GBP BRL MXN CHF JPY'.split(' ');
/** All codes, frequent ones first. */
export const CURRENCIES: readonly string[] = [...new Set([...FREQUENT_CODES, ...digitsByCode.keys()])];

/** Takes an ISO 4217 code in capitals. @returns undefined for any other string */
export function currencyDigits(code: string): number | undefined {
  return digitsByCode.get(code);
}

export function isCurrency(code: string): boolean {
  return digitsByCode.has(code);
}

export function requireCurrency(field: string, code: string): string {
  if (isCurrency(code)) return code;
  throw invalidField(
    field,
    'currency',
    'must be an ISO 4217 currency code in capital letters, such as "USD".',
  );
}
