import fc from 'fast-check';
import { formatAmount, MAX_AMOUNT } from '#shared/kernel/amount.js';

const { SEED, RUN_SEED } = process.env;
/** SEED repeats the values of a run. */
export const seed = Number(SEED ?? RUN_SEED ?? 1);

/** Checks that the predicate holds for values of the arbitraries. SEED repeats the values of a run. */
export function expectAlways<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Position in keyof Values]: fc.Arbitrary<Values[Position]> },
  predicate: (...values: Values) => void,
): void {
  fc.assert(fc.property(...arbitraries, predicate), { seed });
}

export const wholeNumbers = (min: number, max: number) => fc.integer({ min, max });

export const amounts = (min = 1n, max = MAX_AMOUNT) => fc.bigInt({ min, max });

export const decimals = wholeNumbers(0, 30);

/** Decimals above zero, such as "0.0025". */
export const prices = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), wholeNumbers(0, 18))
  .map(([digits, scale]) => formatAmount(digits, scale));

export const lists = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 1, maxLength: 8 });
