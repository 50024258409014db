import { numberToHex } from 'viem';
import type { ChainBlock, MinedTransaction } from '../chain-block.js';
import type { EvmLog } from '../machine.js';
import { type SignedTransaction, priceIn } from '../signed-transaction.js';
import { type NodeHead, NodeRefusal } from './node-head.js';

/** The spelling of blocks, transactions and receipts on the wire, with the fields that geth has. */

const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';

export const quantity = (value: number | bigint): `0x${string}` => `0x${value.toString(16)}`;

export function blockAnswer(block: ChainBlock, isFull: boolean): object {
  const { number, hash, parentHash, time, baseFee, gasLimit, gasUsed, miner, randomness, bloom } = block;
  const { stateRoot, transactionsRoot, receiptsRoot, transactions } = block;
  return {
    ...{ hash, parentHash, miner, stateRoot, transactionsRoot, receiptsRoot },
    number: quantity(number),
    timestamp: quantity(time),
    baseFeePerGas: quantity(baseFee),
    gasLimit: quantity(gasLimit),
    gasUsed: quantity(gasUsed),
    mixHash: randomness,
    logsBloom: bloom,
    sha3Uncles: NO_UNCLES,
    difficulty: '0x0',
    extraData: '0x',
    nonce: '0x0000000000000000',
    size: quantity(600 + transactions.reduce((sum, { signed }) => sum + signed.raw.length / 2 - 1, 0)),
    uncles: [],
    transactions: transactions.map((mined) =>
      isFull ? transactionAnswer(mined.signed, block, mined) : mined.signed.hash,
    ),
  };
}

export function transactionAnswer(
  signed: SignedTransaction,
  block: ChainBlock | null,
  mined: MinedTransaction | null,
): object {
  const { hash, from, to, value, data, gasLimit, nonce, type, maxFee, maxTip, accessList, signature } =
    signed;
  const { v, r, s } = signature;
  const { chainId } = signed;
  const price = block === null ? maxFee : priceIn(block.baseFee, signed);
  return {
    ...{ hash, from, to },
    blockHash: block?.hash ?? null,
    blockNumber: block === null ? null : quantity(block.number),
    transactionIndex: mined === null ? null : quantity(mined.index),
    value: quantity(value),
    input: data,
    gas: quantity(gasLimit),
    nonce: quantity(nonce),
    type: quantity(type),
    gasPrice: quantity(price),
    ...(type >= 2 && { maxFeePerGas: quantity(maxFee), maxPriorityFeePerGas: quantity(maxTip) }),
    ...(type >= 1 && { accessList, yParity: quantity(v) }),
    ...(chainId !== null && { chainId: quantity(chainId) }),
    v: quantity(v),
    r: quantity(r),
    s: quantity(s),
  };
}

export function receiptAnswer(block: ChainBlock, mined: MinedTransaction): object {
  const { signed, index, gasUsed, gasUsedSoFar, gasPrice, failure, created, bloom } = mined;
  return {
    transactionHash: signed.hash,
    transactionIndex: quantity(index),
    blockHash: block.hash,
    blockNumber: quantity(block.number),
    from: signed.from,
    to: signed.to,
    type: quantity(signed.type),
    status: failure === null ? '0x1' : '0x0',
    gasUsed: quantity(gasUsed),
    cumulativeGasUsed: quantity(gasUsedSoFar),
    effectiveGasPrice: quantity(gasPrice),
    contractAddress: created,
    logsBloom: bloom,
    logs: logAnswers(block, mined),
  };
}

export function logAnswers(
  block: ChainBlock,
  { signed, index, logs, firstLog }: MinedTransaction,
): LogAnswer[] {
  return logs.map((log, at) => ({
    ...log,
    blockHash: block.hash,
    blockNumber: quantity(block.number),
    blockTimestamp: quantity(block.time),
    transactionHash: signed.hash,
    transactionIndex: quantity(index),
    logIndex: quantity(firstLog + at),
    removed: false,
  }));
}

export interface LogAnswer extends EvmLog {
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly blockTimestamp: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
  readonly removed: boolean;
}

export function wordOf(bytes: Uint8Array | undefined): `0x${string}` {
  const value =
    bytes === undefined || bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  return numberToHex(value, { size: 32 });
}

interface LogFilter {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly address?: string | readonly string[] | null;
  readonly topics?: readonly (string | readonly string[] | null)[];
}

/** `eth_getLogs`. @param widest blocks that a range may have @throws NodeRefusal */
export function findLogs(filter: LogFilter, head: NodeHead, widest: number): LogAnswer[] {
  return blocksOf(filter, head, widest).flatMap((block) =>
    block.transactions
      .filter(({ logs }) => logs.some((log) => isAskedFor(log, filter)))
      .flatMap((mined) => logAnswers(block, mined))
      .filter((log) => isAskedFor(log, filter)),
  );
}

function blocksOf(
  { blockHash, fromBlock, toBlock }: LogFilter,
  head: NodeHead,
  widest: number,
): ChainBlock[] {
  if (blockHash !== undefined) {
    const block = head.byHash(blockHash);
    if (block === null) throw new NodeRefusal(-32000, 'unknown block');
    return [block];
  }
  const [from, to] = [fromBlock, toBlock].map((name) => numberOf(name, head)) as [number, number];
  if (from > to) throw new NodeRefusal(-32000, 'invalid block range params');
  if (to - from >= widest) throw new NodeRefusal(-32005, `query exceeds max block range ${widest}`);
  if (from > head.block.number)
    throw new NodeRefusal(-32602, `block height is ${head.block.number} but requested was ${from}`);
  const blocks: ChainBlock[] = [];
  for (
    let at = head.find(`0x${Math.min(to, head.block.number).toString(16)}`);
    at !== null && at.number >= from;
    at = at.parent
  )
    blocks.push(at);
  return blocks.reverse();
}

function numberOf(name: unknown, head: NodeHead): number {
  if (typeof name === 'string' && /^0x[0-9a-f]{1,14}$/i.test(name)) return Number(name);
  return head.find(name)?.number ?? 0;
}

function isAskedFor(log: EvmLog, { address, topics = [] }: LogFilter): boolean {
  if (address != null && !among(log.address, address)) return false;
  return topics.every(
    (asked, at) => asked === null || (log.topics[at] !== undefined && among(log.topics[at], asked)),
  );
}

function among(value: string, asked: string | readonly string[]): boolean {
  const all = typeof asked === 'string' ? [asked] : asked;
  return all.length === 0 || all.some((each) => each.toLowerCase() === value);
}
