import { invalidField } from './domain-error.js';

/** One to three digits, a separator and three digits. The separator may group thousands or start the fraction. */
const AMBIGUOUS = /^([1-9][0-9]{0,2})[.,]([0-9]{3})$/;

/**
 * Parses a typed amount, in every form, language and currency. A comma is a decimal sign unless it could group thousands.
 * The till's pad has the same rule (`prices.browser.ts`).
 * @returns a decimal string for `parseAmount`, which rejects grouping signs, spaces and digits of other scripts
 * @throws validation_failed naming the field, for an ambiguous amount
 */
export function typedAmount(text: string, field = 'amount'): string {
  const typed = text.trim();
  const [, whole, fraction] = AMBIGUOUS.exec(typed) ?? [];
  if (whole !== undefined)
    throw invalidField(
      field,
      'ambiguous_amount',
      `is ambiguous. Write "${whole}${fraction}" for ${whole}${fraction}, or "${whole}.${fraction}0" for ${whole}.${fraction}.`,
    );
  if (!/^[0-9]+(?:[.,][0-9]*)?$/.test(typed)) return typed;
  return typed
    .replace(',', '.')
    .replace(/^0+(?=[0-9])/, '')
    .replace(/\.$/, '');
}

/** Formats a stored amount for editing, so that `typedAmount` can parse it. */
export function editableAmount(amount: string): string {
  return AMBIGUOUS.test(amount) ? `${amount}0` : amount;
}
