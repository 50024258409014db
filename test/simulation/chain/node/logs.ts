import type { ChainBlock } from '../chain-block.js';
import type { EvmLog } from '../machine.js';
import { type LogAnswer, logAnswers } from './answers.js';
import { type NodeHead, NodeRefusal } from './node-head.js';

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
