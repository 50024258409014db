import { describe, expect, it } from '@jest/globals';
import { cookiesNamed } from './cookies.js';

describe('Reading cookies', () => {
  it('takes those of the name, in the order sent', () => {
    expect(cookiesNamed('a', 'a=1; b=2;a=3; aa=4; xa=5')).toEqual(['1', '3']);
  });

  it('has none where none were sent', () => {
    expect(cookiesNamed('a', undefined)).toEqual([]);
    expect(cookiesNamed('a', '')).toEqual([]);
    expect(cookiesNamed('a', 'a; ;;=; b=a=1')).toEqual([]);
  });

  it('keeps what stands behind a second equals sign', () => {
    expect(cookiesNamed('a', 'a=1=2')).toEqual(['1=2']);
  });

  it('leaves out what no cookie of this service can be', () => {
    const malformed = [
      '"quoted"',
      'with space',
      'with,comma',
      'with\\backslash',
      'ü',
      '\u0000',
      'x'.repeat(257),
    ];

    for (const value of malformed) expect(cookiesNamed('a', `a=${value}`)).toEqual([]);
    expect(cookiesNamed('a', `a=${'x'.repeat(256)}`)).toHaveLength(1);
  });
});
