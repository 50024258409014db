import { doubleSha256, merkleRoot, displayHashOf } from '../encoding/wire-bytes.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { ByteReader } from './byte-reader.js';
import { type RawTransaction, readNextTransaction } from './raw-transaction.js';

const HEADER_BYTES = 80;
/** A block has at most four million weight units (BIP-141), and a byte weighs at least one. */
const MAX_BLOCK_BYTES = 4_000_000;

/** Hashes are 64 hexadecimal digits in display order. */
export interface RawHeader {
  readonly hash: string;
  readonly parentHash: string;
  /** The merkle root in byte order, which reverses the display order. */
  readonly merkleRoot: Buffer;
  /** The miner's time in seconds, which may be before the parent's. */
  readonly stamp: number;
  readonly target: bigint;
}

export interface RawBlock {
  readonly header: RawHeader;
  readonly size: number;
  readonly transactions: readonly RawTransaction[];
}

/**
 * @throws MalformedAnswer if the hash does not meet the header's own target
 */
export function readHeader(bytes: Buffer): RawHeader {
  if (bytes.length < HEADER_BYTES) throw new MalformedAnswer('a header has fewer than 80 bytes');
  const hash = displayHashOf(doubleSha256(bytes.subarray(0, HEADER_BYTES)));
  const target = targetOfBits(bytes.readUInt32LE(72));
  if (BigInt(`0x${hash}`) > target) throw new MalformedAnswer('the work of a block is missing');
  return {
    hash,
    parentHash: displayHashOf(bytes.subarray(4, 36)),
    merkleRoot: Buffer.from(bytes.subarray(36, 68)),
    stamp: bytes.readUInt32LE(68),
    target,
  };
}

/**
 * @throws MalformedAnswer if the bytes are no block, or if the header does not prove its contents
 */
export function readBlock(bytes: Buffer): RawBlock {
  if (bytes.length > MAX_BLOCK_BYTES) throw new MalformedAnswer('a block exceeds the maximum size');
  const header = readHeader(bytes);
  const reader = new ByteReader(bytes);
  reader.skip(HEADER_BYTES);
  const count = reader.size();
  const transactions: RawTransaction[] = [];
  for (let i = 0; i < count; i += 1) transactions.push(readNextTransaction(reader));
  if (!reader.isAtEnd) throw new MalformedAnswer('bytes follow the block');
  refuseAmbiguousMerkleTree(transactions);
  if (!merkleRoot(transactions.map(({ digest }) => digest)).equals(header.merkleRoot))
    throw new MalformedAnswer('the transactions do not match the header');
  return { header, size: bytes.length, transactions };
}

/**
 * A list whose end is repeated has the root of the shorter list (CVE-2012-2459). Nodes of the merkle tree can pass
 * for transactions of 64 bytes (CVE-2017-12842), but then the first transaction is not a coinbase.
 */
function refuseAmbiguousMerkleTree(transactions: readonly RawTransaction[]): void {
  if (new Set(transactions.map(({ digest }) => digest.toString('latin1'))).size !== transactions.length)
    throw new MalformedAnswer('a transaction occurs twice');
  if (transactions.length === 0 || transactions.some(({ isCoinbase }, i) => isCoinbase !== (i === 0)))
    throw new MalformedAnswer('the first transaction, and no other, must be a coinbase');
}

function targetOfBits(bits: number): bigint {
  const exponent = bits >>> 24;
  const mantissa = bits & 0x00ffffff;
  if (mantissa === 0 || mantissa > 0x7fffff || exponent > 32)
    throw new MalformedAnswer('the target of a block is not valid');
  return exponent <= 3
    ? BigInt(mantissa >>> (8 * (3 - exponent)))
    : BigInt(mantissa) << BigInt(8 * (exponent - 3));
}
