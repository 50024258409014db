import { keccak_256 } from '@noble/hashes/sha3';
import { hexToBytes } from '@noble/hashes/utils';

/** The bits of an address or topic, as digits of the filter's hex text and what of each. */
type Bits = readonly (readonly [digit: number, mask: number])[];

/** Contracts and topics whose bits are remembered: busy chains repeat most of theirs from block to block. */
const MAX_REMEMBERED = 50_000;

/** A filter of a chain that keeps none: it allows every log, and shows of none that it was left out. */
export function isSaturated(bloom: string): boolean {
  return /^0xf+$/i.test(bloom);
}

/** Logs by any of these contracts under any of these first topics. */
export interface LogKind {
  readonly emitters: Iterable<string>;
  readonly topics: readonly string[];
}

/** Shows by a block's bloom filter (Yellow Paper, section 4.4.3) that certain logs are not in it. */
export class LogFilter {
  private readonly kinds: readonly { readonly emitters: readonly Bits[]; readonly topics: readonly Bits[] }[];

  /** Each kind by itself: a contract whose bits a busy block happens to have set mostly lacks its topic there. */
  constructor(...kinds: readonly LogKind[]) {
    this.kinds = kinds.map(({ emitters, topics }) => ({
      emitters: [...emitters].map(bitsOf),
      topics: topics.map(bitsOf),
    }));
  }

  /** False where there are surely none. @param bloom 256 bytes in hex with `0x` */
  mayBeIn(bloom: string): boolean {
    const isIn = (bits: Bits) =>
      bits.every(([digit, mask]) => (valueOf(bloom.charCodeAt(digit)) & mask) !== 0);
    return this.kinds.some(({ emitters, topics }) => topics.some(isIn) && emitters.some(isIn));
  }
}

/** Shows that the logs an endpoint answered are not all of a block. */
export class BloomCover {
  private readonly remembered = new Map<string, Bits>();

  /** @param bloom 256 bytes in hex with `0x` */
  uncovered(bloom: string): UncoveredBits {
    return new UncoveredBits(bloom, (value) => this.bits(value));
  }

  private bits(value: string): Bits {
    let bits = this.remembered.get(value);
    if (bits === undefined) {
      if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
      this.remembered.set(value, (bits = bitsOf(value)));
    }
    return bits;
  }
}

/**
 * The bits of a block's bloom filter that no address or topic shown so far has set. These may set more: on some chains the
 * system adds logs that the filter does not know.
 */
export class UncoveredBits {
  private readonly digits: Uint8Array;
  private left = 0;

  constructor(
    bloom: string,
    private readonly bitsOf: (value: string) => Bits,
  ) {
    this.digits = new Uint8Array(bloom.length);
    for (let digit = 2; digit < bloom.length; digit += 1) {
      const value = valueOf(bloom.charCodeAt(digit));
      this.digits[digit] = value;
      for (let mask = 1; mask < 16; mask <<= 1) if ((value & mask) !== 0) this.left += 1;
    }
  }

  /** True where a value may set one: where nothing is left, as in a large block soon, its hash need not be taken. */
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
