import { brotliCompressSync, gzipSync } from 'node:zlib';

export function visible(html: string): string {
  return html
    .replace(/<(style|script|head|svg)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/[\u2068\u2069]/g, '')
    .replace(/\u00a0/g, ' ');
}

/**
 * Number of bytes that a new connection can send before the first acknowledgement: ten segments of 1,460 bytes, less
 * 264 for headers.
 */
export const FIRST_WINDOW_BYTES = 14_336;

/** Returns the compressed sizes in bytes, one for each content coding that browsers accept. */
export function compressedSizes(text: string): number[] {
  return [gzipSync(text).length, brotliCompressSync(text).length];
}
