import { hash } from 'node:crypto';

/** Double SHA-256, the hash of transactions and blocks. */
export function doubleSha256(bytes: Uint8Array): Buffer {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}

/** Hexadecimal digits in display order, which reverses the bytes. */
export function displayHashOf(digest: Uint8Array): string {
  return Buffer.from(digest).reverse().toString('hex');
}

export function bytesOfDisplayHash(shown: string): Buffer {
  return Buffer.from(shown, 'hex').reverse();
}

/** Encodes a count or length as the protocol does: one byte below 253, otherwise three, five or nine bytes. */
export function compactSize(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value]);
  const bytes = Buffer.alloc(value <= 0xffff ? 3 : value <= 0xffff_ffff ? 5 : 9);
  bytes[0] = bytes.length === 3 ? 0xfd : bytes.length === 5 ? 0xfe : 0xff;
  if (bytes.length === 3) bytes.writeUInt16LE(value, 1);
  else if (bytes.length === 5) bytes.writeUInt32LE(value, 1);
  else bytes.writeBigUInt64LE(BigInt(value), 1);
  return bytes;
}

export function withLengthPrefix(bytes: Uint8Array): Buffer {
  return Buffer.concat([compactSize(bytes.length), bytes]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

export function merkleRoot(hashes: readonly Uint8Array[]): Buffer {
  let level = hashes;
  while (level.length > 1) {
    const pairs = Math.ceil(level.length / 2);
    level = Array.from({ length: pairs }, (_, i) => {
      const left = level[2 * i]!;
      return doubleSha256(Buffer.concat([left, level[2 * i + 1] ?? left]));
    });
  }
  return Buffer.from(level[0]!);
}
