import type { FinalityTag } from '#shared/kernel/asset.js';
import type { BlockHeader, ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import {
  type JsonFields,
  readAddressField,
  readFields,
  readAmount,
  readQuantity,
  readWord,
} from './hex-fields.js';
import type { RpcCall } from '../rpc/rpc-envelope.js';
import { MalformedAnswer, type RpcRefusal } from '../rpc/rpc-failures.js';

const LATEST_UNIX_SECOND = 8_640_000_000_000;
const NO_BLOOM = `0x${'ff'.repeat(256)}`;
const BLOOM = /^0x[0-9a-fA-F]{512}$/;

export interface ParsedBlock {
  readonly header: BlockHeader;
  /** The block's bloom filter: 256 bytes in hex with `0x`. */
  readonly bloom: string;
  /** Empty if the transactions were not requested. */
  readonly calls: readonly ChainTransfer[];
}

export function readHeader(answer: unknown): BlockHeader | null {
  return answer === null ? null : headerOf(readFields(answer, 'a block'));
}

export function readHeaderAt(number: number, answer: unknown): BlockHeader | null {
  const header = readHeader(answer);
  if (header !== null && header.number !== number)
    throw new MalformedAnswer(`block ${header.number} was returned instead of block ${number}`);
  return header;
}

/**
 * @param number the requested number, or null for the newest block
 */
export function readBlock(number: number | null, native: string | null, answer: unknown): ParsedBlock | null {
  if (answer === null) return null;
  const block = readFields(answer, 'a block');
  const header = headerOf(block);
  if (number !== null && header.number !== number)
    throw new MalformedAnswer(`block ${header.number} was returned instead of block ${number}`);
  const bloom = block.logsBloom ?? NO_BLOOM;
  if (typeof bloom !== 'string' || !BLOOM.test(bloom))
    throw new MalformedAnswer('logsBloom is not 256 bytes in hex');
  return { header, bloom, calls: native === null ? [] : nativeTransfersOf(block, header, native) };
}

export function requirePresent<T>(value: T | null, what: string): T {
  if (value === null) throw new MalformedAnswer(`the node has no ${what}`);
  return value;
}

export function readNativeTransfer(
  transaction: JsonFields,
  index: number,
  token: string,
): ChainTransfer | null {
  // Most transactions are contract calls without value. This comparison is all that they cost.
  if (transaction.value === '0x0' || transaction.to == null) return null;
  const amount = readAmount(transaction.value, 'value');
  if (amount === 0n) return null;
  return {
    kind: 'call',
    transactionHash: readWord(transaction.hash, 'hash'),
    index,
    token,
    from: readAddressField(transaction.from, 'from'),
    to: readAddressField(transaction.to, 'to'),
    amount,
  };
}

function nativeTransfersOf(block: JsonFields, { hash }: BlockHeader, native: string): ChainTransfer[] {
  const { transactions } = block;
  if (!Array.isArray(transactions)) throw new MalformedAnswer('the transactions are not a list');
  const calls: ChainTransfer[] = [];
  for (let index = 0; index < transactions.length; index += 1) {
    const call = readNativeTransferAt(hash, index, transactions[index], native);
    if (call !== null) calls.push(call);
  }
  return calls;
}

export function readNativeTransferAt(
  blockHash: string,
  index: number,
  answer: unknown,
  native: string,
): ChainTransfer | null {
  const transaction = readFields(answer, 'a transaction');
  if (readQuantity(transaction.transactionIndex, 'transactionIndex') !== index)
    throw new MalformedAnswer('the transactions are incomplete or not in order');
  if (transaction.blockHash !== blockHash && readWord(transaction.blockHash, 'blockHash') !== blockHash)
    throw new MalformedAnswer('a transaction belongs to another block');
  return readNativeTransfer(transaction, index, native);
}

export function readTransactionHashes(blockHash: string, answer: unknown): string[] {
  const { transactions, ...block } = readFields(answer, 'a block');
  if (readWord(block.hash, 'hash') !== blockHash) throw new MalformedAnswer('another block was returned');
  if (!Array.isArray(transactions)) throw new MalformedAnswer('the transactions are not a list');
  const hashes = transactions.map((each) => readWord(each, 'a transaction'));
  if (new Set(hashes).size !== hashes.length) throw new MalformedAnswer('a transaction occurs twice');
  return hashes;
}

function headerOf(block: JsonFields): BlockHeader {
  const seconds = readQuantity(block.timestamp, 'timestamp');
  if (seconds > LATEST_UNIX_SECOND) throw new MalformedAnswer('timestamp is out of range');
  return {
    number: readQuantity(block.number, 'number'),
    hash: readWord(block.hash, 'hash'),
    parentHash: readWord(block.parentHash, 'parentHash'),
    time: new Date(seconds * 1_000),
  };
}

export const NEWEST_HEADER_CALL: RpcCall<BlockHeader> = {
  method: 'eth_getBlockByNumber',
  isLong: true,
  params: ['latest', false],
  read: (answer) => requirePresent(readHeader(answer), 'newest block'),
};

export function taggedHeaderCall(tag: FinalityTag): RpcCall<BlockHeader | null> {
  return {
    method: 'eth_getBlockByNumber',
    isLong: true,
    params: [tag, false],
    read: readHeader,
    // Payments that require a safe block then wait until it is finalized.
    refused: tag === 'safe' ? () => null : noneFinalizedYet,
  };
}

export const FINALIZED_HEADER_CALL = taggedHeaderCall('finalized');

/** Nodes return these errors instead of null before the first finalized block exists. */
function noneFinalizedYet(refusal: RpcRefusal): null {
  if (/finalized block (?:is )?not found|unknown block/i.test(refusal.details)) return null;
  throw refusal;
}
