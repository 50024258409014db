import type { Tone } from '#shared/web/parts/badge.js';

export interface Named {
  /** A custom property of `src/shared/web`. */
  readonly name: string;
  readonly use: string;
}

export const TYPES: readonly Named[] = [
  { name: '--text-s', use: 'heads of columns, badges, labels of filters' },
  { name: '--text-m', use: 'notes, names of facts' },
  { name: '--text', use: 'everything else' },
  { name: '--text-l', use: 'headings of cards, the first cell of a card on a phone' },
  { name: '--text-xl', use: 'the heading of a page' },
];

export const SPACES: readonly Named[] = [
  { name: '--gap-1', use: 'between a label and its input' },
  { name: '--gap-2', use: 'between buttons, and around text in badges' },
  { name: '--gap-3', use: 'inside cells, between facts' },
  { name: '--gap-4', use: 'inside cards and between them' },
  { name: '--gap-6', use: 'above a page' },
  { name: '--gap-8', use: 'beside a page' },
];

export const COLOURS: readonly Named[] = [
  { name: '--ground', use: 'behind everything' },
  { name: '--card', use: 'behind what belongs together' },
  { name: '--ink', use: 'text' },
  { name: '--soft', use: 'text that is looked up, and symbols of amounts' },
  { name: '--line', use: 'between rows and around cards' },
  { name: '--edge', use: 'around what can be filled in or pressed' },
  { name: '--accent', use: 'links and the main button' },
  { name: '--busy', use: 'goes on by itself' },
  { name: '--good', use: 'done' },
  { name: '--care', use: 'somebody should look' },
  { name: '--bad', use: 'failed, or cannot be undone' },
];

export const MEANINGS: readonly { readonly tone: Tone; readonly use: string }[] = [
  { tone: 'busy', use: 'Goes on by itself' },
  { tone: 'good', use: 'Done' },
  { tone: 'care', use: 'Somebody should look' },
  { tone: 'bad', use: 'Failed' },
  { tone: 'plain', use: 'Nothing happens' },
];
