import { data } from 'currency-codes';
import { invalidField } from './domain-error.js';

/** Units of account, metals, test codes and "no currency". ISO 4217 defines no minor unit for them; the library says 0. */
const NOTHING_IS_PAID_IN = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ');
/** Withdrawn by ISO 4217 since the library's list of June 2024. */
const WITHDRAWN = ['ANG', 'BGN', 'CUC'];
const ADDED: readonly (readonly [string, number])[] = [['XCG', 2]];

const refused = new Set([...NOTHING_IS_PAID_IN, ...WITHDRAWN]);
const digitsByCode = new Map([
  ...data.filter(({ code }) => !refused.has(code)).map(({ code, digits }) => [code, digits] as const),
  ...ADDED,
]);

/**
 * Returns the fraction digits of a currency in use by its ISO 4217 code in capitals: 2 for `EUR`, 0 for `JPY`.
 * @returns undefined for any other string
 */
export function currencyDigits(code: string): number | undefined {
  return digitsByCode.get(code);
}

export function isCurrency(code: string): boolean {
  return digitsByCode.has(code);
}

/** @returns the ISO 4217 code @throws DomainError naming the field */
export function demandCurrency(field: string, code: string): string {
  if (isCurrency(code)) return code;
  throw invalidField(
    field,
    'currency',
    'must be an ISO 4217 currency code in capital letters, such as "USD".',
  );
}
