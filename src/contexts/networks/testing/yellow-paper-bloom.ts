import { keccak_256 } from '@noble/hashes/sha3';
import { hexToBytes } from '@noble/hashes/utils';

/** A bloom filter of these addresses and topics, as the Yellow Paper has it, by one large number. */
export function bloomOf(values: readonly string[]): bigint {
  return values.reduce((bloom, value) => {
    const hash = keccak_256(hexToBytes(value.slice(2)));
    const bits = [0, 2, 4].map((at) => 1n << BigInt(((hash[at]! << 8) | hash[at + 1]!) % 2048));
    return bits.reduce((set, bit) => set | bit, bloom);
  }, 0n);
}

export const valuesOf = (logs: readonly { address: string; topics: string[] }[]) =>
  logs.flatMap(({ address, topics }) => [address, ...topics]);

export const inHex = (bloom: bigint) => `0x${bloom.toString(16).padStart(512, '0')}`;
