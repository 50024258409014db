import { isDeepStrictEqual } from 'node:util';
import type { ChainTransfer, ChainPayout } from '#contexts/networks/contract/chain-reader.js';
import {
  type JsonFields,
  readAddressField,
  readBytesField,
  readFields,
  readQuantity,
  readWord,
} from './hex-fields.js';
import { MalformedAnswer } from '../rpc/rpc-failures.js';

/** keccak-256 of `Transfer(address,address,uint256)` (ERC-20). */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** keccak-256 of the factory's `Settled(address,address,uint256,uint256)`. */
export const SETTLED_TOPIC = '0x16c41a749cf94bd479b1fc5d82a6eb4557d71262f15dc382d2cf6f1eb3d68e8e';

const REQUESTED_TOPICS: readonly unknown[] = [TRANSFER_TOPIC, SETTLED_TOPIC];
const ADDRESS_WORD = `0x${'0'.repeat(24)}`;
const ZERO_WORD = `0x${'0'.repeat(64)}`;

/** Addresses are in lower case. */
export interface LogSelection {
  readonly tokens: ReadonlySet<string>;
  readonly factories: ReadonlySet<string>;
  /** Null if the native coin is not in the asset catalogue; its payouts are then ignored. */
  readonly native: string | null;
}

export const NO_PAYOUT_SELECTION = { factories: new Set<string>(), native: null } as const;

export interface LogBlock {
  readonly number: number;
  readonly hash: string;
}

/** Transfer and payout are null if the log has a known topic but other arguments. */
export interface ParsedLog {
  readonly block: LogBlock;
  readonly index: number;
  /**
   * Index of the transaction, which orders logs among native transfers. 0 if the native coin is not in the asset
   * catalogue.
   */
  readonly transactionIndex: number;
  readonly transfer: ChainTransfer | null;
  readonly payout: ChainPayout | null;
}

export interface ParsedLogs {
  readonly logs: readonly ParsedLog[];
  /** Logs of `logs` that differ from another log with the same position. */
  readonly disputed: readonly ParsedLog[];
  readonly unreadable: ReadonlySet<string>;
}

/**
 * A log with a known topic but other arguments (ERC-721 indexes a third one) is no transfer and must not make the
 * block unreadable. A false log makes only its own block unreadable.
 */
export function readLogs(
  answer: unknown,
  selection: LogSelection,
  blockAt: (number: number) => LogBlock | undefined,
): ParsedLogs {
  if (!Array.isArray(answer)) throw new MalformedAnswer('the logs are not a list');
  const logs: ParsedLog[] = [];
  const unreadable = new Set<string>();
  let number: unknown;
  let block: LogBlock | undefined;
  let ordered = true;
  for (const each of answer) {
    const log = readFields(each, 'a log');
    if (log.blockNumber !== number || block === undefined) {
      number = log.blockNumber;
      block = blockAt(readQuantity(number, 'blockNumber'));
      if (block === undefined) throw new MalformedAnswer('a log is from a block that was not requested');
    }
    try {
      const read = readLog(log, selection, block);
      const last = logs.at(-1);
      if (last !== undefined && !follows(read, last)) ordered = false;
      logs.push(read);
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error;
      unreadable.add(block.hash);
    }
  }
  return ordered ? { logs, disputed: [], unreadable } : { ...withoutDuplicates(logs), unreadable };
}

function withoutDuplicates(logs: ParsedLog[]): Pick<ParsedLogs, 'logs' | 'disputed'> {
  logs.sort((a, b) => a.block.number - b.block.number || a.index - b.index);
  const disputed: ParsedLog[] = [];
  const once = logs.filter((log, i) => {
    const before = logs[i - 1];
    if (before === undefined || follows(log, before)) return true;
    if (isDeepStrictEqual(log, before)) return false;
    disputed.push(before, log);
    return true;
  });
  return { logs: once, disputed };
}

function follows(log: ParsedLog, earlier: ParsedLog): boolean {
  return (
    log.block.number > earlier.block.number || (log.block === earlier.block && log.index > earlier.index)
  );
}

export function readLog(log: JsonFields, selection: LogSelection, block: LogBlock): ParsedLog {
  const { tokens, factories, native } = selection;
  if (log.removed !== undefined && log.removed !== false)
    throw new MalformedAnswer('a log is marked as removed');
  if (log.blockHash !== block.hash && readWord(log.blockHash, 'blockHash') !== block.hash)
    throw new MalformedAnswer('a log belongs to another block');
  const index = readQuantity(log.logIndex, 'logIndex');
  const transactionIndex = native === null ? 0 : readQuantity(log.transactionIndex, 'transactionIndex');
  const hash = readWord(log.transactionHash, 'transactionHash');
  // Fast path: nearly all nodes return addresses in lower case, as requested.
  const isToken = tokens.has(log.address as string);
  const emitter = isToken ? (log.address as string) : readAddressField(log.address, 'address');
  const topics = topicsOf(log);
  const data = readBytesField(log.data, 'data');
  if ((isToken || tokens.has(emitter)) && topics[0] === TRANSFER_TOPIC) {
    const transfer = transferOf(emitter, hash, index, topics, data);
    return { block, index, transactionIndex, transfer, payout: null };
  }
  // The filter lists contracts and topics separately, so it also matches a token that emits the factory's topic.
  const isAskedFor = REQUESTED_TOPICS.includes(topics[0]) && (tokens.has(emitter) || factories.has(emitter));
  if (factories.size === 0 || !isAskedFor)
    throw new MalformedAnswer('a log is from a contract or an event that was not requested');
  const isPayout = factories.has(emitter) && topics[0] === SETTLED_TOPIC;
  const payout = isPayout ? payoutOf(emitter, selection, hash, index, topics, data) : null;
  return { block, index, transactionIndex, transfer: null, payout };
}

function transferOf(
  token: string,
  transactionHash: string,
  index: number,
  topics: readonly string[],
  data: string,
): ChainTransfer | null {
  const [, from, to] = topics;
  if (topics.length !== 3 || data.length !== 2 + 64 || data === ZERO_WORD) return null;
  if (!from?.startsWith(ADDRESS_WORD) || !to?.startsWith(ADDRESS_WORD)) return null;
  return {
    kind: 'log',
    transactionHash,
    index,
    token,
    from: `0x${from.slice(26)}`,
    to: `0x${to.slice(26)}`,
    amount: BigInt(data),
  };
}

/**
 * @returns null for a token that is not in the asset catalogue, because anyone can have any token paid out
 */
function payoutOf(
  from: string,
  { tokens, native }: LogSelection,
  transactionHash: string,
  logIndex: number,
  topics: readonly string[],
  data: string,
): ChainPayout | null {
  if (topics.length !== 1 || data.length !== 2 + 4 * 64) return null;
  const [forwarder, token, toSettlement, toFee] = [0, 1, 2, 3].map(
    (i) => `0x${data.slice(2 + i * 64, 66 + i * 64)}`,
  ) as [string, string, string, string];
  if (!forwarder.startsWith(ADDRESS_WORD) || !token.startsWith(ADDRESS_WORD)) return null;
  // The factory reports the native coin as the zero address.
  const contract = `0x${token.slice(26)}`;
  const paid = token === ZERO_WORD ? native : tokens.has(contract) ? contract : null;
  if (paid === null) return null;
  return {
    transactionHash,
    logIndex,
    from,
    address: `0x${forwarder.slice(26)}`,
    token: paid,
    toSettlement: BigInt(toSettlement),
    toFee: BigInt(toFee),
  };
}

function topicsOf({ topics }: JsonFields): string[] {
  if (!Array.isArray(topics) || topics.length > 4)
    throw new MalformedAnswer('the topics are not a list of at most four');
  for (let i = 0; i < topics.length; i += 1) {
    if (i > 0 || topics[0] !== TRANSFER_TOPIC) topics[i] = readWord(topics[i], 'a topic');
  }
  return topics;
}
