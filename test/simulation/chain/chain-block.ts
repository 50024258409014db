import { keccak256, concatHex, numberToHex, toRlp } from 'viem';
import type { EvmLog, Outcome } from './machine.js';
import type { ChainState } from './chain-state.js';
import type { SignedTransaction } from './signed-transaction.js';

const BYTES = 256;

export const EMPTY_BLOOM: `0x${string}` = `0x${'00'.repeat(BYTES)}`;

export function bloomOf(logs: readonly EvmLog[]): `0x${string}` {
  if (logs.length === 0) return EMPTY_BLOOM;
  const bits = Buffer.alloc(BYTES);
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address as `0x${string}`, ...topics]))) {
    const hash = keccak256(value, 'bytes');
    for (const at of [0, 2, 4]) {
      const bit = ((hash[at]! << 8) | hash[at + 1]!) & 2047;
      bits[BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7);
    }
  }
  return `0x${bits.toString('hex')}`;
}

export interface MinedTransaction {
  readonly signed: SignedTransaction;
  readonly index: number;
  readonly gasPrice: bigint;
  readonly gasUsed: bigint;
  readonly gasUsedSoFar: bigint;
  readonly failure: string | null;
  readonly logs: readonly EvmLog[];
  readonly firstLog: number;
  readonly bloom: `0x${string}`;
  readonly created: string | null;
  readonly moves: Outcome['moves'];
}

export interface ChainBlock {
  readonly number: number;
  readonly hash: `0x${string}`;
  readonly parent: ChainBlock | null;
  readonly parentHash: `0x${string}`;
  readonly time: number;
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  readonly miner: string;
  readonly randomness: `0x${string}`;
  readonly bloom: `0x${string}`;
  /**
   * Names of what happened up to here, of the block's transactions, and of what became of them. They stand where other chains
   * have roots of tries: nothing can be proven by them.
   */
  readonly stateRoot: `0x${string}`;
  readonly transactionsRoot: `0x${string}`;
  readonly receiptsRoot: `0x${string}`;
  readonly transactions: readonly MinedTransaction[];
  readonly state: ChainState;
}

export type NextBlock = Pick<
  ChainBlock,
  'parent' | 'time' | 'baseFee' | 'gasLimit' | 'miner' | 'randomness' | 'transactions' | 'state'
>;

const NO_HASH: `0x${string}` = `0x${'00'.repeat(32)}`;
const NONE = keccak256('0x80');
const NO_UNCLES = keccak256('0xc0');

export function block(next: NextBlock): ChainBlock {
  const { parent, transactions } = next;
  const isEmpty = transactions.length === 0;
  const transactionsRoot = isEmpty
    ? NONE
    : keccak256(concatHex(transactions.map(({ signed }) => signed.hash)));
  const receiptsRoot = isEmpty ? NONE : keccak256(concatHex(transactions.map(resultOf)));
  const unchanged = parent?.stateRoot ?? NO_HASH;
  const header = {
    ...next,
    number: parent === null ? 0 : parent.number + 1,
    parentHash: parent?.hash ?? NO_HASH,
    gasUsed: transactions.at(-1)?.gasUsedSoFar ?? 0n,
    bloom: isEmpty ? EMPTY_BLOOM : bloomOf(transactions.flatMap(({ logs }) => logs)),
    stateRoot: isEmpty ? unchanged : keccak256(concatHex([unchanged, transactionsRoot, receiptsRoot])),
    ...{ transactionsRoot, receiptsRoot },
  };
  return { ...header, hash: hashOf(header) };
}

/** The base fee that follows from a block: more after a full one, less after an empty one (EIP-1559). */
export function baseFeeAfter({ baseFee, gasUsed, gasLimit }: ChainBlock): bigint {
  const target = gasLimit / 2n;
  if (gasUsed === target) return baseFee;
  const change = (baseFee * (gasUsed > target ? gasUsed - target : target - gasUsed)) / target / 8n;
  if (gasUsed < target) return baseFee - change;
  return baseFee + (change > 0n ? change : 1n);
}

export function ancestorOf(tip: ChainBlock, number: number): ChainBlock | null {
  let at: ChainBlock | null = tip;
  while (at !== null && at.number > number) at = at.parent;
  return at?.number === number ? at : null;
}

function resultOf({ signed, failure, gasUsedSoFar, logs }: MinedTransaction): `0x${string}` {
  const told = logs.flatMap(({ address, topics, data }) => [address as `0x${string}`, ...topics, data]);
  return keccak256(
    concatHex([
      signed.hash,
      failure === null ? '0x01' : '0x00',
      numberToHex(gasUsedSoFar, { size: 32 }),
      ...told,
    ]),
  );
}

function hashOf(header: Omit<ChainBlock, 'hash'>): `0x${string}` {
  const fields = [
    header.parentHash,
    NO_UNCLES,
    header.miner as `0x${string}`,
    header.stateRoot,
    header.transactionsRoot,
    header.receiptsRoot,
    header.bloom,
    '0x' as const,
    amount(header.number),
    amount(header.gasLimit),
    amount(header.gasUsed),
    amount(header.time),
    '0x' as const,
    header.randomness,
    '0x0000000000000000' as const,
    amount(header.baseFee),
  ];
  return keccak256(toRlp(fields));
}

function amount(value: number | bigint): `0x${string}` {
  if (BigInt(value) === 0n) return '0x';
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`;
}
