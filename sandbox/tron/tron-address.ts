import { createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2';
import type { Hex } from 'viem';

/** The first byte of a TRON address. */
export const PREFIX = '41';

const base58check = createBase58check(sha256);
const HEX_ADDRESS = /^41[0-9a-f]{40}$/;

/** @returns 21 bytes in hexadecimal, from Base58Check or 20 or 21 bytes; undefined if it is none of them */
export function readTronAddress(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (text.startsWith('T')) {
    try {
      const hex = Buffer.from(base58check.decode(text)).toString('hex');
      return HEX_ADDRESS.test(hex) ? hex : undefined;
    } catch {
      return undefined;
    }
  }
  const hex = text.replace(/^0x/, '').toLowerCase();
  const whole = hex.length === 40 ? `${PREFIX}${hex}` : hex;
  return HEX_ADDRESS.test(whole) ? whole : undefined;
}

/** @param address 21 bytes in hexadecimal */
export function toBase58(address: string): string {
  return base58check.encode(Buffer.from(address, 'hex'));
}

/** The same account on the chain behind the façade. */
export function evmAddress(address: string): Hex {
  return `0x${address.slice(PREFIX.length)}`;
}
