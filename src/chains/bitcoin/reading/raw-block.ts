import { doubleSha256, merkleRoot, shownHash } from '../encoding/wire-bytes.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { ByteReader } from './byte-reader.js';
import { type RawTransaction, readTransactionOf } from './raw-transaction.js';

const HEADER_BYTES = 80;
/** A block weighs at most four million (BIP-141), and a byte weighs one at least. */
const MAX_BLOCK_BYTES = 4_000_000;

/** A block's header as its own bytes have it; hashes are as people write them, 64 hexadecimal digits. */
export interface RawHeader {
  readonly hash: string;
  readonly parentHash: string;
  /** In the order of its bytes. */
  readonly merkleRoot: Buffer;
  /** The time that the miner stamped it with, in seconds; it may be earlier than the parent's. */
  readonly stamp: number;
  /** The most that `hash` may be as a number: `nBits` written out. */
  readonly target: bigint;
}

export interface RawBlock {
  readonly header: RawHeader;
  /** How many bytes it has. */
  readonly size: number;
  /** Proven by the header's merkle root to be all of the block's, in its order. */
  readonly transactions: readonly RawTransaction[];
}

/** @param bytes 80, or a block that begins with them @throws MalformedAnswer where its hash does not meet its own target */
export function readHeader(bytes: Buffer): RawHeader {
  if (bytes.length < HEADER_BYTES) throw new MalformedAnswer('a header has fewer than 80 bytes');
  const hash = shownHash(doubleSha256(bytes.subarray(0, HEADER_BYTES)));
  const target = targetOf(bytes.readUInt32LE(72));
  if (BigInt(`0x${hash}`) > target) throw new MalformedAnswer('the work of a block is missing');
  return {
    hash,
    parentHash: shownHash(bytes.subarray(4, 36)),
    merkleRoot: Buffer.from(bytes.subarray(36, 68)),
    stamp: bytes.readUInt32LE(68),
    target,
  };
}

/** @param bytes one block and nothing after it @throws MalformedAnswer also where its header does not prove all else */
export function readBlock(bytes: Buffer): RawBlock {
  if (bytes.length > MAX_BLOCK_BYTES) throw new MalformedAnswer('a block exceeds the maximum size');
  const header = readHeader(bytes);
  const reader = new ByteReader(bytes);
  reader.skip(HEADER_BYTES);
  const count = reader.size();
  const transactions: RawTransaction[] = [];
  for (let i = 0; i < count; i += 1) transactions.push(readTransactionOf(reader));
  if (!reader.isAtEnd) throw new MalformedAnswer('bytes follow the block');
  refuseOtherTrees(transactions);
  if (!merkleRoot(transactions.map(({ digest }) => digest)).equals(header.merkleRoot))
    throw new MalformedAnswer('the transactions do not match the header');
  return { header, size: bytes.length, transactions };
}

/**
 * Different lists can have one root. A list whose end is repeated has that of the shorter one (CVE-2012-2459). Nodes of the
 * tree can pass for transactions of 64 bytes (CVE-2017-12842), but the first of them then is no coinbase.
 */
function refuseOtherTrees(transactions: readonly RawTransaction[]): void {
  if (new Set(transactions.map(({ digest }) => digest.toString('latin1'))).size !== transactions.length)
    throw new MalformedAnswer('a transaction occurs twice');
  if (transactions.length === 0 || transactions.some(({ isCoinbase }, i) => isCoinbase !== (i === 0)))
    throw new MalformedAnswer('the first transaction, and no other, must be a coinbase');
}

/** `nBits`: an exponent of 256 and three digits, the first of which is no sign. @throws MalformedAnswer */
function targetOf(bits: number): bigint {
  const exponent = bits >>> 24;
  const mantissa = bits & 0x00ffffff;
  if (mantissa === 0 || mantissa > 0x7fffff || exponent > 32)
    throw new MalformedAnswer('the target of a block is not valid');
  return exponent <= 3
    ? BigInt(mantissa >>> (8 * (3 - exponent)))
    : BigInt(mantissa) << BigInt(8 * (exponent - 3));
}
