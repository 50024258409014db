import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DIRECTION_CONTROLS, isPrintableLine, requiredText, withoutDirectionControls } from './text.js';

const CONTROLS = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

describe('A line of text', () => {
  it.each([...CONTROLS, '\u0000', '\n', '\u2028', '\ud800'])(
    'is rejected if it contains a control character or half a character: %j',
    (character) => {
      expect(isPrintableLine(`Bar ${character}gnp.exe`, 1, 200)).toBe(false);
      expect(() => requiredText('name', `Bar ${character}gnp.exe`, 200)).toThrow();
    },
  );

  it.each(['', ' ', '\u200b\u2060', 'x'.repeat(201)])(
    'is rejected if nothing is visible or it is too long: %j',
    (text) => {
      expect(() => requiredText('is rejected if it contains %j', text, 200)).toThrow();
    },
  );

  it.each(['Café 🍊', 'مقهى', 'קפה \u200f1'])('accepts any script: %s', (text) => {
    expect(requiredText('name', ` ${text} `, 200)).toBe(text);
  });

  it('loses direction controls before display', () => {
    expect(withoutDirectionControls(`a${CONTROLS.join('')}b`)).toBe('ab');
  });

  it('has the same direction controls in browser scripts as on the server', () => {
    const script = readFileSync(new URL('../web/script/elements.browser.js', import.meta.url), 'utf8');

    expect(script).toContain(DIRECTION_CONTROLS);
  });
});
