import { brotliCompressSync, gzipSync } from 'node:zlib';

/** The text that a reader sees, without markup and the marks that keep names apart. */
export function visible(html: string): string {
  return html
    .replace(/<(style|script|head)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/[\u2068\u2069]/g, '')
    .replace(/\u00a0/g, ' ');
}

/** Ten segments of 1,460 bytes, less 264: what arrives before the first answer of a new connection. */
export const FIRST_WINDOW = 14_336;

/** Bytes as they are sent, in each coding that browsers ask for. */
export function weights(text: string): number[] {
  return [gzipSync(text).length, brotliCompressSync(text).length];
}
