import { Injectable } from '@nestjs/common';
import type { Endpoint } from '../../../domain/endpoint.js';
import { AdaptiveSize } from '../rpc/adaptive-size.js';
import { BloomCover } from './bloom-filter.js';
import { EndpointBlocks } from './endpoint-blocks.js';
import { address, fieldsOf, hex, word } from '../rpc/hex-fields.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import type { AnsweredBlock } from '../rpc/block-answers.js';
import { EndpointFailure, MalformedAnswer, isFinal, isTooMuch } from '../rpc/rpc-failures.js';
import { type AnsweredLog, readLogs } from '../rpc/log-answers.js';
import type { WatchedAssets } from './watched-assets.js';

const FIRST_RANGE = 500;
const WIDEST_RANGE = 5_000;
/** Answers for single blocks in one batch. */
const BLOCKS_AT_ONCE = 50;
/** All logs of a block may be a megabyte. */
const WHOLE_BLOCKS_AT_ONCE = 8;

type LogsByHash = Map<string, AnsweredLog[]>;

/** The wanted logs of blocks whose headers are known, as one endpoint answers them. Throws `ChainUnavailable` only. */
@Injectable()
export class EndpointLogs {
  private readonly widths = new Map<Endpoint, AdaptiveSize>();
  private readonly cover = new BloomCover();

  constructor(
    private readonly rpc: JsonRpc,
    private readonly blocks: EndpointBlocks,
  ) {}

  /**
   * Each block's logs by its hash, so that they are never another fork's. A node that is only about to learn of a
   * block may answer "none": where the block's bloom filter does not say so too, it is asked again, and has to prove
   * what it then says.
   */
  async byHash(
    endpoint: Endpoint,
    blocks: readonly AnsweredBlock[],
    watched: WatchedAssets,
  ): Promise<LogsByHash> {
    const found = await this.ofEach(endpoint, blocks, watched);
    const doubtful = this.doubtful(blocks, found, watched);
    if (doubtful.length === 0) return found;
    await this.blocks.know(
      endpoint,
      doubtful.map(({ header }) => header.hash),
    );
    return new Map([...found, ...(await this.again(endpoint, doubtful, watched))]);
  }

  /**
   * Logs of final blocks by ranges as wide as the endpoint bears. An index that is behind the chain answers a range
   * with too little: blocks without logs whose bloom filters allow some are asked for again, one by one, as `byHash`.
   * @param blocks consecutive
   */
  async byRanges(
    endpoint: Endpoint,
    blocks: readonly AnsweredBlock[],
    watched: WatchedAssets,
  ): Promise<LogsByHash> {
    const width = this.width(endpoint);
    const found: LogsByHash = new Map();
    for (let at = 0; at < blocks.length;) {
      const range = blocks.slice(at, at + width.now);
      const logs = await this.ofRange(endpoint, range, watched, width);
      if (logs === null) continue;
      for (const log of logs) {
        const sameBlock = found.get(log.block.hash);
        if (sameBlock === undefined) found.set(log.block.hash, [log]);
        else sameBlock.push(log);
      }
      at += range.length;
    }
    const doubtful = this.doubtful(blocks, found, watched);
    if (doubtful.length === 0) return found;
    return new Map([...found, ...(await this.again(endpoint, doubtful, watched))]);
  }

  /**
   * A second "none" may come from the same index that fell behind: taken as true, it would be a payment that nobody
   * looks for any more. Only all logs of the block show that none of them is wanted.
   */
  private async again(
    endpoint: Endpoint,
    blocks: readonly AnsweredBlock[],
    watched: WatchedAssets,
  ): Promise<LogsByHash> {
    const found = await this.ofEach(endpoint, blocks, watched);
    const calls = this.doubtful(blocks, found, watched).map((block) => ({
      method: 'eth_getLogs',
      params: [{ blockHash: block.header.hash }],
      read: (answer: unknown) => proveNone(answer, block, watched, this.cover),
    }));
    await this.rpc.batch(endpoint, calls, WHOLE_BLOCKS_AT_ONCE);
    return found;
  }

  /** @returns null where the range was too wide: it is narrower now */
  private async ofRange(
    endpoint: Endpoint,
    range: readonly AnsweredBlock[],
    watched: WatchedAssets,
    width: AdaptiveSize,
  ): Promise<AnsweredLog[] | null> {
    const first = range[0]!.header.number;
    const call = {
      method: 'eth_getLogs',
      params: [{ fromBlock: hex(first), toBlock: hex(first + range.length - 1), ...watched.filter }],
      read: (answer: unknown) => readLogs(answer, watched, (number) => range[number - first]?.header),
    };
    try {
      const logs = await this.rpc.callOnce(endpoint, call);
      width.succeeded(range.length);
      return logs;
    } catch (error) {
      if (!(error instanceof EndpointFailure) || error.kind === 'rate_limited') throw error;
      // Nodes refuse too wide a range under so many codes and words that any refusal is taken for one.
      const isTooWide = error.kind === 'refused' || isTooMuch(error);
      if (!isTooWide || range.length === 1) {
        if (isFinal(error)) throw error;
        return this.rpc.call(endpoint, call);
      }
      width.narrow(range.length);
      // Each further try would wait as long again for an endpoint that is perhaps dead: the next turn asks for less.
      if (error.kind === 'timeout') throw error;
      return null;
    }
  }

  private async ofEach(
    endpoint: Endpoint,
    blocks: readonly AnsweredBlock[],
    watched: WatchedAssets,
  ): Promise<LogsByHash> {
    if (watched.filter.address.length === 0) return new Map();
    const calls = blocks.map(({ header }) => ({
      method: 'eth_getLogs',
      params: [{ blockHash: header.hash, ...watched.filter }],
      read: (answer: unknown) =>
        readLogs(answer, watched, (number) => (number === header.number ? header : undefined)),
    }));
    const logs = await this.rpc.batch(endpoint, calls, BLOCKS_AT_ONCE);
    return new Map(blocks.map(({ header }, i) => [header.hash, logs[i] ?? []]));
  }

  private doubtful(
    blocks: readonly AnsweredBlock[],
    found: LogsByHash,
    { bloom }: WatchedAssets,
  ): AnsweredBlock[] {
    return blocks.filter((block) => !found.get(block.header.hash)?.length && bloom.mayBeIn(block.bloom));
  }

  private width(endpoint: Endpoint): AdaptiveSize {
    let width = this.widths.get(endpoint);
    if (width === undefined) this.widths.set(endpoint, (width = new AdaptiveSize(FIRST_RANGE, WIDEST_RANGE)));
    return width;
  }
}

/**
 * Reads all logs of a block for which the endpoint answered none that is wanted.
 * @throws MalformedAnswer where one is wanted after all, or the block's bloom filter knows of logs that are not there
 */
function proveNone(
  answer: unknown,
  { header, bloom }: AnsweredBlock,
  { filter }: WatchedAssets,
  cover: BloomCover,
): void {
  if (!Array.isArray(answer)) throw new MalformedAnswer('the logs are not a list');
  const wanted = [filter.topics[0]].flat();
  const values = new Set<string>();
  for (const each of answer) {
    const log = fieldsOf(each, 'a log');
    if (word(log.blockHash, 'blockHash') !== header.hash)
      throw new MalformedAnswer('a log is of another block');
    const emitter = address(log.address, 'address');
    if (!Array.isArray(log.topics)) throw new MalformedAnswer('topics are not a list');
    const topics = log.topics.map((topic) => word(topic, 'a topic'));
    if (filter.address.includes(emitter) && wanted.includes(topics[0]))
      throw new MalformedAnswer('a log is there only where nobody asks for it');
    values.add(emitter);
    for (const topic of topics) values.add(topic);
  }
  if (!cover.covers(bloom, values))
    throw new MalformedAnswer(`block ${header.number} has logs that are not told`);
}
