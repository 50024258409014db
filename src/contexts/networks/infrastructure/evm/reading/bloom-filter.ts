import { keccak_256 } from '@noble/hashes/sha3';
import { hexToBytes } from '@noble/hashes/utils';

/** The bits of an address or topic, as digits of the filter's hex text and what of each. */
type Bits = readonly (readonly [digit: number, mask: number])[];

/** Contracts and topics whose bits are remembered: busy chains repeat most of theirs from block to block. */
const MOST_REMEMBERED = 50_000;

/** Shows by a block's bloom filter (Yellow Paper, section 4.4.3) that certain logs are not in it. */
export class LogFilter {
  private readonly emitters: readonly Bits[];
  private readonly topics: readonly Bits[];

  /** Logs by any of these contracts under any of these first topics. */
  constructor(emitters: readonly string[], topics: readonly string[]) {
    this.emitters = emitters.map(bitsOf);
    this.topics = topics.map(bitsOf);
  }

  /** False where there are surely none. @param bloom 256 bytes in hex with `0x` */
  mayBeIn(bloom: string): boolean {
    const isIn = (bits: Bits) =>
      bits.every(([digit, mask]) => (valueOf(bloom.charCodeAt(digit)) & mask) !== 0);
    return this.topics.some(isIn) && this.emitters.some(isIn);
  }
}

/** Shows that the logs an endpoint answered are not all of a block. */
export class BloomCover {
  private readonly remembered = new Map<string, Bits>();

  /**
   * Whether these addresses and topics set every bit of a block's bloom filter. They may set more: on some chains the
   * system adds logs that the filter does not know.
   * @param bloom 256 bytes in hex with `0x`
   */
  covers(bloom: string, values: ReadonlySet<string>): boolean {
    const covered = new Uint8Array(bloom.length);
    for (const value of values) for (const [digit, mask] of this.bits(value)) covered[digit]! |= mask;
    for (let digit = 2; digit < bloom.length; digit += 1)
      if ((valueOf(bloom.charCodeAt(digit)) & ~covered[digit]!) !== 0) return false;
    return true;
  }

  private bits(value: string): Bits {
    let bits = this.remembered.get(value);
    if (bits === undefined) {
      if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
      this.remembered.set(value, (bits = bitsOf(value)));
    }
    return bits;
  }
}

function bitsOf(value: string): Bits {
  const hash = keccak_256(hexToBytes(value.slice(2)));
  return [0, 2, 4].map((i) => {
    const bit = (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2047;
    // Bit 0 is the lowest of the last digit.
    return [2 + 511 - (bit >> 2), 1 << (bit & 3)] as const;
  });
}

function valueOf(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87;
}
