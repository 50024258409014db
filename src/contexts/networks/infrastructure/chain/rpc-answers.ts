import { keccak_256 } from '@noble/hashes/sha3';
import { hexToBytes } from '@noble/hashes/utils';
import type { BlockHeader, TokenTransfer } from '../../contract/chain-reader.js';
import { MalformedAnswer } from './json-rpc.js';

/** keccak-256 of `Transfer(address,address,uint256)` (ERC-20). */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const LATEST_SECOND = 8_640_000_000_000;

type Fields = Readonly<Record<string, unknown>>;

/** A block of `eth_getBlockBy…`, or null where the node has none. @throws MalformedAnswer */
export function readHeader(answer: unknown): BlockHeader | null {
  if (answer === null) return null;
  const block = fieldsOf(answer, 'a block');
  const seconds = quantity(block, 'timestamp');
  if (seconds > LATEST_SECOND) throw new MalformedAnswer('timestamp is out of range');
  return {
    number: quantity(block, 'number'),
    hash: word(block, 'hash'),
    parentHash: word(block, 'parentHash'),
    time: new Date(seconds * 1_000),
  };
}

/** A block known by its number must have that number. @throws MalformedAnswer */
export function readHeaderAt(number: number, answer: unknown): BlockHeader | null {
  const header = readHeader(answer);
  if (header !== null && header.number !== number)
    throw new MalformedAnswer(`block ${header.number} came for ${number}`);
  return header;
}

/** Where an answer is impossible to do without. @throws MalformedAnswer */
export function present<T>(value: T | null, what: string): T {
  if (value === null) throw new MalformedAnswer(`the node has no ${what}`);
  return value;
}

/**
 * The transfers of `eth_getLogs` for one block, in order, each once, without those of nothing. What a contract emits
 * under ERC-20's topic but in another shape (ERC-721 indexes a third argument) is no transfer of an amount, and must
 * not keep the block from being read.
 * @param tokens contracts that were asked for, in lower case
 * @throws MalformedAnswer if any log is not whole, removed, of another block or was not asked for
 */
export function readTransfers(
  answer: unknown,
  blockHash: string,
  tokens: ReadonlySet<string>,
): TokenTransfer[] {
  if (!Array.isArray(answer)) throw new MalformedAnswer('the logs are not a list');
  const byIndex = new Map<number, TokenTransfer>();
  for (const log of answer) {
    const transfer = readTransfer(fieldsOf(log, 'a log'), blockHash, tokens);
    if (transfer === null) continue;
    const twin = byIndex.get(transfer.logIndex);
    if (twin !== undefined && !isSame(twin, transfer))
      throw new MalformedAnswer('two logs have one logIndex');
    byIndex.set(transfer.logIndex, transfer);
  }
  return [...byIndex.values()].filter(({ amount }) => amount > 0n).sort((a, b) => a.logIndex - b.logIndex);
}

/**
 * False where the block's bloom filter (Yellow Paper, section 4.4.3) rules out transfers of all these tokens.
 * @throws MalformedAnswer also if there is no such block
 */
export function mayHoldTransfers(answer: unknown, blockHash: string, tokens: ReadonlySet<string>): boolean {
  const header = present(readHeader(answer), 'such block');
  if (header.hash !== blockHash) throw new MalformedAnswer('another block came than was asked for');
  const bloom = hexToBytes(hex(answer as Fields, 'logsBloom', 256).slice(2));
  return isInBloom(bloom, TRANSFER_TOPIC) && [...tokens].some((token) => isInBloom(bloom, token));
}

function isInBloom(bloom: Uint8Array, value: string): boolean {
  const hash = keccak_256(hexToBytes(value.slice(2)));
  return [0, 2, 4].every((i) => {
    const bit = (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2047;
    return (((bloom[255 - (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1;
  });
}

function readTransfer(log: Fields, blockHash: string, tokens: ReadonlySet<string>): TokenTransfer | null {
  if (log.removed !== undefined && log.removed !== false) throw new MalformedAnswer('a log was removed');
  if (word(log, 'blockHash') !== blockHash) throw new MalformedAnswer('a log is of another block');
  const token = hex(log, 'address', 20);
  const topics = log.topics;
  if (!tokens.has(token)) throw new MalformedAnswer('a log is of a contract that was not asked for');
  if (!Array.isArray(topics) || topics.length > 4)
    throw new MalformedAnswer('topics are not a list of up to four');
  const [topic, from, to] = topics.map((_, i) => hex(topics as unknown as Fields, String(i), 32));
  if (topic !== TRANSFER_TOPIC) throw new MalformedAnswer('a log is of an event that was not asked for');
  const data = bytes(log, 'data');
  const position = { transactionHash: word(log, 'transactionHash'), logIndex: quantity(log, 'logIndex') };
  if (topics.length !== 3 || data.length !== 2 + 64 || !isAddressWord(from) || !isAddressWord(to))
    return null;
  return { ...position, token, from: addressIn(from), to: addressIn(to), amount: BigInt(data) };
}

function isSame(one: TokenTransfer, other: TokenTransfer): boolean {
  return (Object.keys(one) as (keyof TokenTransfer)[]).every((key) => one[key] === other[key]);
}

function isAddressWord(topic: string | undefined): topic is string {
  return topic !== undefined && topic.startsWith(`0x${'0'.repeat(24)}`);
}

function addressIn(topic: string): string {
  return `0x${topic.slice(26)}`;
}

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new MalformedAnswer(`${what} is not an object`);
}

function word(fields: Fields, name: string): string {
  return hex(fields, name, 32);
}

function hex(fields: Fields, name: string, bytes: number): string {
  const value = fields[name];
  if (typeof value === 'string' && value.length === 2 + 2 * bytes && /^0x[0-9a-fA-F]+$/.test(value)) {
    return value.toLowerCase();
  }
  throw new MalformedAnswer(`${name} is not ${bytes} bytes in hex`);
}

/** Of any length. */
function bytes(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(value)) return value.toLowerCase();
  throw new MalformedAnswer(`${name} is not bytes in hex`);
}

function quantity(fields: Fields, name: string): number {
  return readQuantity(fields[name], name);
}

/** A hexadecimal quantity that a number holds exactly. @throws MalformedAnswer */
export function readQuantity(value: unknown, name: string): number {
  const number = typeof value === 'string' && /^0x[0-9a-fA-F]{1,14}$/.test(value) ? Number(value) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new MalformedAnswer(`${name} is not a quantity`);
}
