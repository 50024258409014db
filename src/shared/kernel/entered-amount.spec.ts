import { describe, expect, it } from '@jest/globals';
import { parseAmount } from './amount.js';
import { DomainError } from './domain-error.js';
import { TYPED_AMOUNTS } from './testing/typed-amounts.js';
import { formatAmountForEditing, parseEnteredAmount } from './entered-amount.js';

function read(typed: string): string {
  try {
    const amount = parseEnteredAmount(typed);
    return parseAmount(amount, 18) === 'not_a_decimal' ? 'refused' : amount;
  } catch (error) {
    return (error as DomainError).errors[0]!.rule === 'ambiguous_amount' ? 'ambiguous' : String(error);
  }
}

describe('A typed amount', () => {
  it.each([
    ...TYPED_AMOUNTS,
    [' 12.50 ', '12.50'],
    ...['1 234', '1\u00a0234', "1'234", '1_234', '١٢٫٥', '+5', '-5', '1e3', '.5', ''].map(
      (typed) => [typed, 'refused'] as const,
    ),
  ])('is read as an amount or refused: %j, %s', (typed, amount) => {
    expect(read(typed)).toBe(amount);
  });

  it('is rejected with both accepted forms if it is ambiguous', () => {
    expect(() => parseEnteredAmount('1,234', 'at_most')).toThrow(
      expect.objectContaining({
        errors: [
          {
            field: 'at_most',
            rule: 'ambiguous_amount',
            message: 'is ambiguous. Write "1234" for 1234, or "1.2340" for 1.234.',
          },
        ],
      }),
    );
  });

  it.each(['1.234', '12.5', '0.125', '1000', '1.2345'])(
    'is shown for editing in a form that is read back: %s',
    (amount) => {
      expect(parseAmount(parseEnteredAmount(formatAmountForEditing(amount)), 6)).toBe(parseAmount(amount, 6));
    },
  );
});
