import { keccak_256 } from '@noble/hashes/sha3';
import { hexToBytes } from '@noble/hashes/utils';

type FilterBits = readonly (readonly [digit: number, mask: number])[];

const MAX_CACHED_VALUES = 50_000;

/** Chains without bloom filters return all bits set, which cannot prove that logs are missing. */
export function isBloomSaturated(bloom: string): boolean {
  return /^0xf+$/i.test(bloom);
}

export interface LogKind {
  readonly emitters: Iterable<string>;
  readonly topics: readonly string[];
}

/** Proves by a block's bloom filter (Yellow Paper, section 4.4.3) that the block does not contain certain logs. */
export class LogFilter {
  private readonly kinds: readonly {
    readonly emitters: readonly FilterBits[];
    readonly topics: readonly FilterBits[];
  }[];

  /** Checks contract and topic together: in a busy block, a contract's bits may be set by chance. */
  constructor(...kinds: readonly LogKind[]) {
    this.kinds = kinds.map(({ emitters, topics }) => ({
      emitters: [...emitters].map(bitsOf),
      topics: topics.map(bitsOf),
    }));
  }

  /** False if the block certainly contains none of the logs. @param bloom 256 bytes in hex with `0x` */
  mayBeIn(bloom: string): boolean {
    const isIn = (bits: FilterBits) =>
      bits.every(([digit, mask]) => (valueOf(bloom.charCodeAt(digit)) & mask) !== 0);
    return this.kinds.some(({ emitters, topics }) => topics.some(isIn) && emitters.some(isIn));
  }
}

export class BloomCover {
  private readonly remembered = new Map<string, FilterBits>();

  uncovered(bloom: string): UncoveredBits {
    return new UncoveredBits(bloom, (value) => this.bits(value));
  }

  private bits(value: string): FilterBits {
    let bits = this.remembered.get(value);
    if (bits === undefined) {
      if (this.remembered.size >= MAX_CACHED_VALUES) this.remembered.clear();
      this.remembered.set(value, (bits = bitsOf(value)));
    }
    return bits;
  }
}

/** Logs may set bits that the filter lacks, because some chains add system logs that are not in the filter. */
export class UncoveredBits {
  private readonly digits: Uint8Array;
  private left = 0;

  constructor(
    bloom: string,
    private readonly bitsOf: (value: string) => FilterBits,
  ) {
    this.digits = new Uint8Array(bloom.length);
    for (let digit = 2; digit < bloom.length; digit += 1) {
      const value = valueOf(bloom.charCodeAt(digit));
      this.digits[digit] = value;
      for (let mask = 1; mask < 16; mask <<= 1) if ((value & mask) !== 0) this.left += 1;
    }
  }

  get areThere(): boolean {
    return this.left > 0;
  }

  cover(value: string): void {
    for (const [digit, mask] of this.bitsOf(value)) {
      if ((this.digits[digit]! & mask) === 0) continue;
      this.digits[digit]! &= ~mask;
      this.left -= 1;
    }
  }
}

function bitsOf(value: string): FilterBits {
  const hash = keccak_256(hexToBytes(value.slice(2)));
  return [0, 2, 4].map((i) => {
    const bit = (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2047;
    // Bit 0 of a bloom filter is the lowest bit of its last digit.
    return [2 + 511 - (bit >> 2), 1 << (bit & 3)] as const;
  });
}

function valueOf(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87;
}
