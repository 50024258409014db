import { MalformedAnswer } from '../../rpc/rpc-failures.js';

export class ByteReader {
  constructor(
    readonly bytes: Buffer,
    public at = 0,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  skip(length: number): number {
    const from = this.at;
    if (length > this.bytes.length - from) throw new MalformedAnswer('the bytes end too early');
    this.at = from + length;
    return from;
  }

  take(length: number): Buffer {
    const from = this.skip(length);
    return this.bytes.subarray(from, from + length);
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.skip(4));
  }

  uint64(): bigint {
    return this.bytes.readBigUInt64LE(this.skip(8));
  }

  size(): number {
    const first = this.bytes[this.skip(1)]!;
    if (first < 0xfd) return first;
    if (first === 0xfd) return this.bytes.readUInt16LE(this.skip(2));
    if (first === 0xfe) return this.uint32();
    throw new MalformedAnswer('a count is larger than a block');
  }
}
