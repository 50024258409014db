import { createHash } from 'node:crypto';
import { assetOf, type InlineAsset } from './inline-asset.js';

/** A style that pages load from their own origin. */
export interface LoadedStyle {
  readonly text: string;
  /** The last part of its path. It names the content, so that what lies there never changes. */
  readonly name: string;
  /** The style that a page inlines: it imports the whole one. Its source expression also lets styles of the own origin in. */
  readonly imported: InlineAsset;
}

/** @param folder the path that it is served below */
export function loadedStyle(folder: string, { text }: InlineAsset): LoadedStyle {
  const name = `${createHash('sha256').update(text).digest('base64url')}.css`;
  const imported = assetOf(`@import"${folder}/${name}"`);
  return { text, name, imported: { ...imported, hash: `${imported.hash} 'self'` } };
}
