import { doubleSha256 } from '../encoding/wire-bytes.js';

/** Faster than generic encoders, because each block has about ten thousand outputs. */

const BECH32_DIGITS = Buffer.from('qpzry9x8gf2tvdw0s3jn54khce6mua7l');
const BASE58_DIGITS = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
const BECH32_GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** Lookup table of the checksum: the generators combined for each value of the checksum's five highest bits. */
const CHECKSUM_BY_TOP_BITS = Int32Array.from({ length: 32 }, (_, top) =>
  BECH32_GENERATORS.reduce((sum, generator, i) => ((top >> i) & 1 ? sum ^ generator : sum), 0),
);
const CHECKSUM_DIGITS = 6;
const BECH32 = 1;
const BECH32M = 0x2bc830a3;

const checksumStateByPrefix = new Map<string, number>();

const digitBuffer = Buffer.alloc(1 + 64 + CHECKSUM_DIGITS);

/** Encodes a segwit address (BIP-173 and BIP-350). @param version from 0 to 16 @param program of 2 to 40 bytes */
export function segwitAddress(prefix: string, version: number, program: Uint8Array): string {
  digitBuffer[0] = version;
  let length = 1;
  let bits = 0;
  let rest = 0;
  for (const byte of program) {
    rest = ((rest << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5;) digitBuffer[length++] = (rest >> (bits -= 5)) & 31;
  }
  if (bits > 0) digitBuffer[length++] = (rest << (5 - bits)) & 31;
  let checksum = checksumStateByPrefix.get(prefix);
  if (checksum === undefined) checksumStateByPrefix.set(prefix, (checksum = checksumOfPrefix(prefix)));
  for (let i = 0; i < length; i += 1) checksum = nextChecksum(checksum, digitBuffer[i]!);
  for (let i = 0; i < CHECKSUM_DIGITS; i += 1) checksum = nextChecksum(checksum, 0);
  checksum ^= version === 0 ? BECH32 : BECH32M;
  for (let i = CHECKSUM_DIGITS - 1; i >= 0; i -= 1) digitBuffer[length++] = (checksum >> (5 * i)) & 31;
  for (let i = 0; i < length; i += 1) digitBuffer[i] = BECH32_DIGITS[digitBuffer[i]!]!;
  return `${prefix}1${digitBuffer.toString('latin1', 0, length)}`;
}

function checksumOfPrefix(prefix: string): number {
  const codes = [...Buffer.from(prefix)];
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)].reduce(nextChecksum, 1);
}

function nextChecksum(checksum: number, digit: number): number {
  return ((checksum & 0x1ffffff) << 5) ^ digit ^ CHECKSUM_BY_TOP_BITS[checksum >> 25]!;
}

/** Each division yields two base58 digits and keeps intermediate numbers below 2^31. */
const BASE58_DIVISOR = 58 ** 2;
const LIMB_BITS = 16;
/** A version byte, a hash of 20 bytes, a checksum of 4 bytes, and a leading byte that makes the length even. */
const BASE58_NUMBER_BYTES = 26;
const MAX_BASE58_DIGITS = 36;

export function base58Address(version: number, hash: Uint8Array): string {
  const bytes = Buffer.alloc(BASE58_NUMBER_BYTES);
  bytes[1] = version;
  bytes.set(hash, 2);
  doubleSha256(bytes.subarray(1, 22)).copy(bytes, 22, 0, 4);
  const limbs = new Uint16Array(BASE58_NUMBER_BYTES / 2);
  for (let i = 0; i < limbs.length; i += 1) limbs[i] = bytes.readUInt16BE(2 * i);
  const digits = Buffer.allocUnsafe(MAX_BASE58_DIGITS);
  let at = MAX_BASE58_DIGITS;
  while (at > 0) {
    let rest = 0;
    for (let i = 0; i < limbs.length; i += 1) {
      const number = (rest << LIMB_BITS) | limbs[i]!;
      const quotient = (number / BASE58_DIVISOR) | 0;
      limbs[i] = quotient;
      rest = number - quotient * BASE58_DIVISOR;
    }
    digits[(at -= 1)] = BASE58_DIGITS[rest % 58]!;
    digits[(at -= 1)] = BASE58_DIGITS[(rest / 58) | 0]!;
  }
  return digits.toString('latin1', indexOfFirstDigit(bytes, digits));
}

function indexOfFirstDigit(bytes: Buffer, digits: Buffer): number {
  let zeros = 0;
  while (bytes[1 + zeros] === 0) zeros += 1;
  let number = 0;
  while (digits[number] === BASE58_DIGITS[0]) number += 1;
  return number - zeros;
}
