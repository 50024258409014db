import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Ten segments of 1,460 bytes, less 264: what arrives before the first answer of a new connection. */
export const FIRST_WINDOW = 14_336;

/** Bytes as they are sent, in each coding that browsers ask for. */
export function weights(text: string): number[] {
  return [gzipSync(text).length, brotliCompressSync(text).length];
}
