import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { accentsOf, contrast, THEMES, type Theme } from './accents.js';

const CHANNELS = ['00', '55', 'aa', 'ff'];
const COLOURS = CHANNELS.flatMap((r) => CHANNELS.flatMap((g) => CHANNELS.map((b) => `#${r}${g}${b}`)));
const themes = Object.keys(THEMES) as Theme[];
const long = (colour: string) => colour.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');

describe('The accents of a colour', () => {
  it('has readable accents in each theme, and readable text on the fill, for any colour', () => {
    for (const colour of COLOURS) {
      const { fill, ...accents } = accentsOf(colour);
      const pairs = themes.flatMap((theme) => {
        const { colour: accent, text } = accents[theme];
        return [THEMES[theme].ground, THEMES[theme].card, long(text)].map(
          (other) => [accent, other] as const,
        );
      });
      const least = Math.min(
        ...[...pairs, [fill.colour, long(fill.text)] as const].map((pair) => contrast(...pair)),
      );

      expect({ colour, fill: fill.colour, isRead: least >= 4.5 }).toEqual({
        colour,
        fill: colour,
        isRead: true,
      });
    }
  });

  it('keeps a readable colour', () => {
    expect([accentsOf('#7a1fa2').light.colour, accentsOf('#ffcc00').dark.colour]).toEqual([
      '#7a1fa2',
      '#ffcc00',
    ]);
    expect(accentsOf('#ffcc00').light.colour).not.toBe('#ffcc00');
  });
});

describe('A theme', () => {
  it('has the colours of the style sheet', () => {
    const css = readFileSync(new URL('../document/base.browser.css', import.meta.url), 'utf8');
    const [light, dark] = css.split('@media (prefers-color-scheme: dark)') as [string, string];
    const inStyle = (sheet: string) =>
      Object.fromEntries(
        Object.keys(THEMES.light).map((name) => {
          const variable = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
          return [name, long(new RegExp(`--${variable}: (#\\w+)`).exec(sheet)![1]!)];
        }),
      );

    expect({ light: inStyle(light), dark: inStyle(dark) }).toEqual(THEMES);
  });
});
