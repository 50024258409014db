import type { BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import {
  readHeaderAt,
  readHeader,
  readTransactionHashes,
  requirePresent,
} from '../../ethereum-rpc/block-answers.js';
import { type JsonFields, readFields, toHexQuantity } from '../../ethereum-rpc/hex-fields.js';
import type { BlockOfEndpoint } from '../../rpc/reading/endpoint-reading.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer, RpcRefusal } from '../../rpc/rpc-failures.js';
import { hexOfTronAddress } from '../addresses/tron-address.js';

const TOO_MANY_REQUESTS = 429;
const ID = /^[0-9a-f]{64}$/;

/** Hashes and ids are 64 digits without `0x`, as TRON's explorers and wallets show them. */
export interface TronBlock extends BlockOfEndpoint {
  readonly transactions: readonly string[];
}

/** Result of one transaction (`TransactionInfo`). */
export interface TronReceipt {
  readonly id: string;
  readonly blockNumber: number;
  readonly succeeded: boolean;
  /** Total cost in sun. */
  readonly fee: bigint;
  readonly logs: readonly JsonFields[];
}

export function blockCall(number: number): RpcCall<TronBlock | null> {
  return blockByTag(toHexQuantity(number), (answer) => readBlock(number, answer));
}

export const NEWEST_BLOCK_CALL = blockByTag('latest', (answer) =>
  requirePresent(readBlock(null, answer), 'newest block'),
);

function blockByTag<T>(tag: string, read: (answer: unknown) => T): RpcCall<T> {
  return { method: 'eth_getBlockByNumber', isLong: true, params: [tag, false], read };
}

/** Number of the newest block that the solidity node has: it can no longer be replaced. */
export const SOLID_NUMBER_CALL = httpCall('walletsolidity/getnowblock', {}, (answer) => {
  const { block_header } = readFields(answer, 'a block');
  const { raw_data } = readFields(block_header, 'block_header');
  return readInteger(readFields(raw_data, 'raw_data')['number'], 'number');
});

/** Results of all transactions of a block, in any order. */
export function receiptsCall(number: number): RpcCall<TronReceipt[]> {
  return httpCall('wallet/gettransactioninfobyblocknum', { num: number }, (answer) => {
    if (!Array.isArray(answer)) throw new MalformedAnswer('the receipts are not a list');
    const receipts = answer.map(readReceipt);
    if (receipts.some(({ blockNumber }) => blockNumber !== number))
      throw new MalformedAnswer('a receipt belongs to another block');
    return receipts;
  });
}

/** Result of a transaction. Null if no block contains it. */
export function receiptCall(id: string): RpcCall<TronReceipt | null> {
  return httpCall('wallet/gettransactioninfobyid', { value: id }, (answer) => {
    if (Object.keys(readFields(answer, 'a receipt')).length === 0) return null;
    const receipt = readReceipt(answer);
    if (receipt.id === id) return receipt;
    throw new MalformedAnswer('the endpoint returned another transaction than requested');
  });
}

/** A transfer of TRX by the transaction itself, with addresses in hex. Null for any other transaction. */
export function nativeTransferCall(id: string): RpcCall<{ from: string; to: string; amount: bigint } | null> {
  return httpCall('wallet/gettransactionbyid', { value: id }, (answer) => {
    const transaction = readFields(answer, 'a transaction');
    if (transaction['txID'] !== id)
      throw new MalformedAnswer('the endpoint returned another transaction than requested');
    const { contract } = readFields(transaction['raw_data'], 'raw_data');
    const [first] = Array.isArray(contract) ? (contract as unknown[]) : [];
    const { type, parameter } = readFields(first, 'a contract');
    if (type !== 'TransferContract') return null;
    const value = readFields(readFields(parameter, 'parameter')['value'], 'value');
    const amount = readInteger(value['amount'], 'amount');
    const [from, to] = [value['owner_address'], value['to_address']].map(readAddress) as [string, string];
    return { from, to, amount: BigInt(amount) };
  });
}

/** @throws RpcRefusal for an error, which nodes answer with status 200 */
export function httpCall<T>(method: string, body: object, read: (answer: unknown) => T): RpcCall<T> {
  return {
    method,
    path: `/${method}`,
    isLong: true,
    params: [body],
    read(answer) {
      const { Error: error } = (answer ?? {}) as { Error?: unknown };
      if (typeof error !== 'string') return read(answer);
      throw new RpcRefusal(
        /lack of computing resources|SERVER_BUSY/.test(error) ? TOO_MANY_REQUESTS : 0,
        error,
      );
    },
  };
}

function readBlock(number: number | null, answer: unknown): TronBlock | null {
  const header = number === null ? readHeader(answer) : readHeaderAt(number, answer);
  if (header === null) return null;
  return {
    header: spelledHeader(header),
    transactions: readTransactionHashes(header.hash, answer).map(digits),
  };
}

function spelledHeader({ number, hash, parentHash, time }: BlockHeader): BlockHeader {
  // The first 8 bytes of a block's id are its number, so a hash names its block.
  if (numberOfBlock(digits(hash)) !== number)
    throw new MalformedAnswer(`the hash of block ${number} does not begin with its number`);
  return { number, hash: digits(hash), parentHash: digits(parentHash), time };
}

/** @returns NaN for a text that is no block's id */
export function numberOfBlock(hash: string): number {
  return ID.test(hash) ? Number.parseInt(hash.slice(0, 16), 16) : NaN;
}

function digits(word: string): string {
  return word.slice(2);
}

function readReceipt(answer: unknown): TronReceipt {
  const { id, result, receipt, log, blockNumber, fee } = readFields(answer, 'a receipt');
  if (typeof id !== 'string' || !ID.test(id)) throw new MalformedAnswer('id is not 32 bytes in hex');
  if (log !== undefined && !Array.isArray(log))
    throw new MalformedAnswer('the logs of a receipt are not a list');
  const outcome = readFields(receipt ?? {}, 'receipt')['result'] ?? 'SUCCESS';
  const succeeded = result !== 'FAILED' && (outcome === 'SUCCESS' || outcome === 'DEFAULT');
  const logs = succeeded ? ((log ?? []) as unknown[]) : [];
  return {
    ...{ id, succeeded, blockNumber: readInteger(blockNumber, 'blockNumber') },
    fee: BigInt(readInteger(fee, 'fee')),
    logs: logs.map((each) => readFields(each, 'a log')),
  };
}

function readAddress(value: unknown): string {
  if (typeof value === 'string' && /^41[0-9a-f]{40}$/.test(value)) return `0x${value.slice(2)}`;
  throw new MalformedAnswer('an address is not 21 bytes in hex');
}

/** The node omits a number that is zero. */
export function readInteger(value: unknown, name: string): number {
  const number = value ?? 0;
  if (Number.isSafeInteger(number) && (number as number) >= 0) return number as number;
  throw new MalformedAnswer(`${name} is not a number`);
}

/** 21 bytes in hex without `0x`, as the HTTP API takes addresses. */
export function hex21(address: string): string {
  return `41${hexOfTronAddress(address)!.slice(2)}`;
}
