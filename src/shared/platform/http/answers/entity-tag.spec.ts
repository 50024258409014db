import { describe, expect, it } from '@jest/globals';
import { matchesEntityTag } from './prepared-answer.js';

describe('The header If-None-Match', () => {
  it.each(['"a"', 'W/"a"', '*', '"x", "a"', '"x",W/"a"', ' "a" , "x"', '"x","a",'])(
    'matches the entity tag "a": %s',
    (header) => {
      expect(matchesEntityTag(header, '"a"')).toBe(true);
    },
  );

  it.each([undefined, '', 'a', '"aa"', 'w/"a"', 'W/ "a"', '"x" "a"', '"*"'])(
    'does not match the entity tag "a": %s',
    (header) => {
      expect(matchesEntityTag(header, '"a"')).toBe(false);
    },
  );
});
