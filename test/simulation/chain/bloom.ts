import { keccak256 } from 'viem';
import type { EvmLog } from './machine.js';

const BYTES = 256;

export const EMPTY_BLOOM: `0x${string}` = `0x${'00'.repeat(BYTES)}`;

/** The bits of every contract and topic of these logs (Yellow Paper, section 4.4.3). */
export function bloomOf(logs: readonly EvmLog[]): `0x${string}` {
  if (logs.length === 0) return EMPTY_BLOOM;
  const bits = Buffer.alloc(BYTES);
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address as `0x${string}`, ...topics]))) {
    const hash = keccak256(value, 'bytes');
    for (const at of [0, 2, 4]) {
      const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2047;
      bits[BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7);
    }
  }
  return `0x${bits.toString('hex')}`;
}
