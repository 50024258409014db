import { createHash } from 'node:crypto';

/** A digest of one length, in which nobody reads an address at a glance. */
export function sourceOf(caller: string): Buffer {
  return createHash('sha256').update(caller).digest().subarray(0, 16);
}
