import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';

const rfcKeys = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];

describe('Canonical JSON', () => {
  it.each([
    [{ b: 1, a: { d: [{ z: 1, y: 2 }], c: null } }, '{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}'],
    [{ reference: 'Ñ/"😀' }, '{"reference":"Ñ/\\"😀"}'],
    [{ a: undefined, b: '' }, '{"b":""}'],
    [{ '9': 1, '10': 2, a: 3, Z: 4 }, '{"10":2,"9":1,"Z":4,"a":3}'],
    [JSON.parse('{"b":1,"__proto__":{"y":1,"x":2}}'), '{"__proto__":{"x":2,"y":1},"b":1}'],
    [{ a: [undefined, true, 1.5, 'line\nbreak'] }, '{"a":[null,true,1.5,"line\\nbreak"]}'],
  ])('sorts names, omits undefined members and escapes text: %j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('sorts members by UTF-16 units, as in the example of RFC 8785', () => {
    const value = Object.fromEntries([...rfcKeys].reverse().map((key) => [key, 0]));

    expect(canonicalJson(value)).toBe(`{${rfcKeys.map((key) => `${JSON.stringify(key)}:0`).join(',')}}`);
  });
});
