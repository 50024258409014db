/** Colours of base.browser.css; a test compares them. Accents appear on `ground` and `card`. */
export const THEMES = {
  light: {
    ground: '#f3f5f8',
    card: '#ffffff',
    ink: '#10182b',
    soft: '#525d76',
    line: '#d9dfe9',
    accent: '#1d4ed8',
    onAccent: '#ffffff',
  },
  dark: {
    ground: '#0a0e16',
    card: '#141a26',
    ink: '#e9edf5',
    soft: '#a3aec4',
    line: '#2a3345',
    accent: '#86aeff',
    onAccent: '#08101f',
  },
} as const;

export type Theme = keyof typeof THEMES;

/** Minimum for text (WCAG 2.2, success criterion 1.4.3). Outlines of controls would need only 3 (1.4.11). */
export const LEAST_CONTRAST = 4.5;
const STEPS = 64;

/** A colour, and black or white text on it, whichever has more contrast. The ratio is at least 4.5:1 for any colour. */
export interface Accent {
  /** `#rrggbb` */
  readonly colour: string;
  readonly text: '#000' | '#fff';
}

/** A merchant's colour for pages. Text, links and outlines use the theme's accent. */
export interface Accents extends Readonly<Record<Theme, Accent>> {
  /** Buttons are filled with the chosen colour and outlined with the accent. */
  readonly fill: Accent;
}

/**
 * Derives readable accents from the merchant's colour: darkened on light grounds and lightened on dark ones, as little as
 * possible. Accepts every colour, because yellow may be a brand colour.
 * @param colour `#rrggbb`
 */
export function accentsOf(colour: string): Accents {
  return {
    fill: withText(colour),
    light: withText(readable(colour, 'light', 0)),
    dark: withText(readable(colour, 'dark', 255)),
  };
}

function withText(colour: string): Accent {
  return { colour, text: contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#fff' : '#000' };
}

function readable(colour: string, theme: Theme, towards: 0 | 255): string {
  const own = channelsOf(colour);
  for (let step = 0; ; step += 1) {
    const mixed = own.map((channel) => Math.round(channel + ((towards - channel) * step) / STEPS));
    const hex = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
    if (contrastIn(theme, hex) >= LEAST_CONTRAST || step === STEPS) return hex;
  }
}

/** Returns the colour's lower contrast: with the theme's ground or its card. */
export function contrastIn(theme: Theme, colour: string): number {
  const { ground, card } = THEMES[theme];
  return Math.min(contrast(colour, ground), contrast(colour, card));
}

/** Returns the contrast ratio, from 1 to 21 (WCAG 2.2, "contrast ratio"). @param one `#rrggbb`, like `other` */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
