import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  DIRECTION_CONTROLS,
  isPrintableLine,
  collapseToOneLine,
  parseHttpsUrl,
  parseOrigin,
  readWholeNumber,
  requireText,
  withoutDirectionControls,
} from './text.js';

const CONTROLS = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

describe('A line of text', () => {
  it.each([...CONTROLS, '\u0000', '\n', '\u2028', '\ud800'])(
    'is rejected if it contains a control character or half a character: %j',
    (character) => {
      expect(isPrintableLine(`Bar ${character}gnp.exe`, 1, 200)).toBe(false);
      expect(() => requireText('name', `Bar ${character}gnp.exe`, 200)).toThrow();
    },
  );

  it.each(['', ' ', '\u200b\u2060', 'x'.repeat(201)])(
    'is rejected if nothing is visible or it is too long: %j',
    (text) => {
      expect(() => requireText('is rejected if it contains %j', text, 200)).toThrow();
    },
  );

  it.each(['Café 🍊', 'مقهى', 'קפה \u200f1'])('accepts any script: %s', (text) => {
    expect(requireText('name', ` ${text} `, 200)).toBe(text);
  });

  it('has a length in characters from the minimum to the maximum', () => {
    const accepted = [0, 3, 4, 5, 6].map((length) => isPrintableLine('🍊'.repeat(length), 4, 5));

    expect(accepted).toEqual([false, false, true, true, false]);
  });

  it('joins several lines into one', () => {
    expect(collapseToOneLine(' a\r\n\u0000 b\t')).toBe('a b');
  });

  it('loses direction controls before display', () => {
    expect(withoutDirectionControls(`a${CONTROLS.join('')}b`)).toBe('ab');
  });

  it('has the same direction controls in browser scripts as on the server', () => {
    const script = readFileSync(new URL('../web/script/elements.browser.js', import.meta.url), 'utf8');

    expect(script).toContain(DIRECTION_CONTROLS);
  });
});

describe('An address on the web', () => {
  const LONGEST = `https://shop.example/${'a'.repeat(2_027)}`;

  it.each([
    ['https://shop.example/a@b', true],
    [LONGEST, true],
    [`${LONGEST}a`, false],
    ['http://shop.example/', false],
    ['https://@shop.example/', false],
    ['https:shop.example', false],
  ])('is accepted with HTTPS and without a user name: %s, %s', (text, accepted) => {
    expect(parseHttpsUrl(text) !== undefined).toBe(accepted);
  });

  it.each([
    ['HTTPS://Shop.example:443', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example/a', undefined],
    ['https://shop.example?a', undefined],
    ['https://anna@shop.example', undefined],
  ])('is an origin without a path: %s, %s', (text, origin) => {
    expect(parseOrigin(text)).toBe(origin);
  });
});

describe('A whole number', () => {
  it.each([
    ['0', 0],
    ['9'.repeat(15), 999_999_999_999_999],
    ...['', '01', '-1', '1.0', '1e1', ' 1', '9'.repeat(16)].map((text): [string, number] => [text, NaN]),
  ])('is read from plain digits: %j as %d', (text, number) => {
    expect(readWholeNumber(text)).toBe(number);
  });
});
