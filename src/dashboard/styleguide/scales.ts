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
  { name: '--card', use: 'behind a group of content' },
  { name: '--ink', use: 'text' },
  { name: '--soft', use: 'secondary text, and symbols of amounts' },
  { name: '--line', use: 'between rows and around cards' },
  { name: '--edge', use: 'around inputs and buttons' },
  { name: '--accent', use: 'links and the main button' },
  { name: '--busy', use: 'in progress, continues automatically' },
  { name: '--good', use: 'done' },
  { name: '--care', use: 'needs attention' },
  { name: '--bad', use: 'failed, or cannot be undone' },
];

export const MEANINGS: readonly { readonly tone: Tone; readonly use: string }[] = [
  { tone: 'busy', use: 'Continues automatically' },
  { tone: 'good', use: 'Done' },
  { tone: 'care', use: 'Needs attention' },
  { tone: 'bad', use: 'Failed' },
  { tone: 'plain', use: 'Nothing happens' },
];
