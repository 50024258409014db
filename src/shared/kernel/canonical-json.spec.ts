import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';

describe('Canonical JSON', () => {
  it.each([
    [{ b: 1, a: { d: [{ z: 1, y: 2 }], c: null } }, '{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}'],
    [{ reference: 'Ñ/"😀' }, '{"reference":"Ñ/\\"😀"}'],
    [{ a: undefined, b: '' }, '{"b":""}'],
    [{ '9': 1, '10': 2, a: 3, Z: 4 }, '{"10":2,"9":1,"Z":4,"a":3}'],
    [JSON.parse('{"b":1,"__proto__":{"y":1,"x":2}}'), '{"__proto__":{"x":2,"y":1},"b":1}'],
    [{ a: [undefined, true, 1.5, 'line\nbreak'] }, '{"a":[null,true,1.5,"line\\nbreak"]}'],
  ])('writes %j as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});
