import { describe, expect, it } from '@jest/globals';
import { cookiesNamed } from './cookies.js';

describe('Reading cookies', () => {
  it.each([
    ['a=1; b=2;a=3; aa=4; xa=5', ['1', '3']],
    ['a=1=2', ['1=2']],
    ['a; ;;=; b=a=1', []],
    ['', []],
    [undefined, []],
  ])('finds all values of the cookie "a": %j has %j', (header, found) =>
    expect(cookiesNamed('a', header)).toEqual(found),
  );

  it('skips values that no cookie of this service has', () => {
    const malformed = ['"quoted"', 'with space', 'with\\backslash', 'ü', '\u0000', 'x'.repeat(257)];

    for (const value of malformed) expect(cookiesNamed('a', `a=${value}`)).toEqual([]);
    expect(cookiesNamed('a', `a=${'x'.repeat(256)}`)).toHaveLength(1);
  });
});
