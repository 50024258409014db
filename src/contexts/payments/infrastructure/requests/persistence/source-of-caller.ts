import { createHash } from 'node:crypto';
import { callerRanges } from '#shared/platform/http/callers/caller-address.js';

/**
 * Digests of one length together, in which nobody reads an address at a glance: of the /48 in 8 bytes, of the /56 in 4 and of the /64
 * in 4, so that wider ranges are prefixes. For an IPv4 address all three are its own.
 * @param caller an IPv4 address, or the /64 of an IPv6 one
 */
export function sourceOf(caller: string): Buffer {
  const [narrow, middle = narrow, wide = narrow] = callerRanges(caller.replace('/64', ''));
  return Buffer.concat([digest(wide.name, 8), digest(middle.name, 4), digest(narrow.name, 4)]);
}

function digest(range: string, bytes: number): Buffer {
  return createHash('sha256').update(range).digest().subarray(0, bytes);
}
