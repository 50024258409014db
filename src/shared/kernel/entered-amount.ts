import { invalidField } from './domain-error.js';

/** In `1,500`, the separator may separate thousands or start the fraction. */
const AMBIGUOUS_AMOUNT = /^([1-9][0-9]{0,2})[.,]([0-9]{3})$/;

/**
 * A comma is a decimal sign unless it could separate thousands. The till's keypad has the same rule
 * (`prices.browser.ts`). @throws validation_failed naming the field, if the amount is ambiguous
 */
export function parseEnteredAmount(text: string, field = 'amount'): string {
  const typed = text.trim();
  const [, whole, fraction] = AMBIGUOUS_AMOUNT.exec(typed) ?? [];
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

export function formatAmountForEditing(amount: string): string {
  return AMBIGUOUS_AMOUNT.test(amount) ? `${amount}0` : amount;
}
