/** Colours of base.browser.css; a test compares them. Accent colours appear on the page's `ground` and on a `card`. */
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

/** Minimum contrast of text (WCAG 2.2, success criterion 1.4.3). Outlines of controls would need only 3 (1.4.11). */
export const MIN_CONTRAST = 4.5;
const LIGHTNESS_STEPS = 64;

/** Black or white as text colour, whichever has more contrast: at least 4.5:1 for any colour. */
export interface Accent {
  /** In the form `#rrggbb`. */
  readonly colour: string;
  readonly text: '#000' | '#fff';
}

/** Colours of a merchant's pages. Text, links and outlines use the accent colour of the theme. */
export interface Accents extends Readonly<Record<Theme, Accent>> {
  /** The merchant's own colour, which fills buttons. Their outline has the accent colour. */
  readonly fill: Accent;
}

/**
 * Darkens for light backgrounds and lightens for dark ones, as little as possible. Accepts every colour, because it
 * may be the merchant's brand.
 */
export function accentsOf(colour: string): Accents {
  return {
    fill: toAccent(colour),
    light: toAccent(readableColour(colour, 'light', 0)),
    dark: toAccent(readableColour(colour, 'dark', 255)),
  };
}

function toAccent(colour: string): Accent {
  return { colour, text: contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#fff' : '#000' };
}

function readableColour(colour: string, theme: Theme, towards: 0 | 255): string {
  const own = channelsOf(colour);
  for (let step = 0; ; step += 1) {
    const mixed = own.map((channel) => Math.round(channel + ((towards - channel) * step) / LIGHTNESS_STEPS));
    const hex = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
    if (lowestContrastIn(theme, hex) >= MIN_CONTRAST || step === LIGHTNESS_STEPS) return hex;
  }
}

/** Returns the lower of two contrasts: of the colour with the theme's page background, and with its cards. */
export function lowestContrastIn(theme: Theme, colour: string): number {
  const { ground, card } = THEMES[theme];
  return Math.min(contrast(colour, ground), contrast(colour, card));
}

/** The result is from 1 to 21 (WCAG 2.2, "contrast ratio"). */
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
