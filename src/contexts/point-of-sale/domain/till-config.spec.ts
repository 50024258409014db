import { describe, expect, it } from '@jest/globals';
import { eachOnce } from './point-of-sale.js';
import { areTipPercentages, MAX_PRODUCTS, tillFrom } from './till-config.js';

describe('Tips', () => {
  it.each([
    [[], true],
    [[1, 5, 10, 100], true],
    [[0], false],
    [[101], false],
    [[1.5], false],
    [[5, 5], false],
    [[1, 2, 3, 4, 5], false],
  ])('are up to four different whole numbers from 1 to 100: %j', (values, areTips) => {
    expect(areTipPercentages(values)).toBe(areTips);
  });
});

describe('The products of a till', () => {
  it('are as many as the limit, and no more', () => {
    const till = (count: number) => () =>
      tillFrom({ coinCode: 'EUR', products: Array(count).fill({ name: 'Tea', amount: '2.00' }) }, []);

    expect(till(MAX_PRODUCTS)().products).toHaveLength(MAX_PRODUCTS);
    expect(till(MAX_PRODUCTS + 1)).toThrow(`must have at most ${MAX_PRODUCTS} items`);
  });
});

describe('A list of values', () => {
  it('accepts as many values as its limit, each only once', () => {
    expect(eachOnce('field', 2, ['a', 'b'])).toEqual(['a', 'b']);
    expect(() => eachOnce('field', 1, ['a', 'b'])).toThrow('must have at most 1 items');
    expect(() => eachOnce('field', 2, ['a', 'a'])).toThrow('must not contain a twice');
  });
});
