import { invalidField } from './domain-error.js';

/** One to three digits, a sign and three digits: a grouping sign to some people and a decimal sign to others. */
const AMBIGUOUS = /^([1-9][0-9]{0,2})[.,]([0-9]{3})$/;

/**
 * Reads an amount as a person types it, in every form, language and currency. A comma is a decimal sign where it cannot be
 * anything else. The till's pad has the same rule (`prices.browser.ts`).
 * @returns a decimal string for `parseAmount`, which refuses any other text: grouping signs, spaces, digits of other scripts
 * @throws validation_failed naming the field, for an amount with two meanings
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

/** A stored amount as a form shows it for editing: `typedAmount` reads it back. */
export function editableAmount(amount: string): string {
  return AMBIGUOUS.test(amount) ? `${amount}0` : amount;
}
