import { Injectable } from '@nestjs/common';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { AdaptiveSize } from '#chains/rpc/adaptive-size.js';
import { BloomCover, isSaturated } from './bloom-filter.js';
import { CompleteLogs } from './complete-logs.js';
import { EndpointBlocks } from '../endpoint-blocks.js';
import type { HeldLogs } from './held-logs.js';
import { LargeBlockLogs } from './large-block-logs.js';
import { hex } from '../../rpc/hex-fields.js';
import { JsonRpc } from '#chains/rpc/json-rpc.js';
import type { AnsweredBlock } from '../../rpc/block-answers.js';
import { EndpointFailure, MalformedAnswer, isTooMuch, mayBeTooMuch } from '#chains/rpc/rpc-failures.js';
import { type AnsweredLogs, readLogs } from '../../rpc/log-answers.js';
import type { WatchedAssets } from '../watched-assets.js';

const FIRST_RANGE = 500;
const WIDEST_RANGE = 5_000;
/** Answers for single blocks in one batch. */
const BLOCKS_AT_ONCE = 50;
/** All logs of a block may be a megabyte. */
const WHOLE_BLOCKS_AT_ONCE = 8;

/** The wanted logs of blocks whose headers are known, as one endpoint answers them. Throws `ChainUnavailable` only. */
@Injectable()
export class EndpointLogs {
  private readonly widths = new Map<Endpoint, AdaptiveSize>();
  private readonly cover = new BloomCover();

  constructor(
    private readonly rpc: JsonRpc,
    private readonly blocks: EndpointBlocks,
    private readonly largeBlocks: LargeBlockLogs,
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
    held: HeldLogs,
  ): Promise<void> {
    await this.ofEach(endpoint, blocks, watched, held);
    const doubtful = this.doubtful(blocks, held, watched);
    if (doubtful.length === 0) return;
    await this.blocks.know(
      endpoint,
      doubtful.map(({ header }) => header.hash),
    );
    await this.again(endpoint, doubtful, watched, held);
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
    held: HeldLogs,
  ): Promise<void> {
    const width = this.width(endpoint);
    for (let at = 0; at < blocks.length;) {
      const range = blocks.slice(at, at + width.now);
      const logs = await this.ofRange(endpoint, range, watched, width);
      if (logs === 'too_wide') continue;
      if (logs === 'too_much') await this.largeBlocks.read(endpoint, range[0]!, watched, held);
      else await this.hold(endpoint, range, logs, watched, held);
      at += range.length;
    }
    const doubtful = this.doubtful(blocks, held, watched);
    if (doubtful.length > 0) await this.again(endpoint, doubtful, watched, held);
  }

  /**
   * A second "none" may come from the same index that fell behind: taken as true, it would be a payment that nobody
   * looks for any more. Only all logs of the block show which of them are wanted.
   */
  private async again(
    endpoint: Endpoint,
    blocks: readonly AnsweredBlock[],
    watched: WatchedAssets,
    held: HeldLogs,
  ): Promise<void> {
    await this.ofEach(endpoint, blocks, watched, held);
    const doubtful = this.doubtful(blocks, held, watched);
    const all = doubtful.filter(({ bloom }) => !isSaturated(bloom));
    const calls = all.map((block) => ({
      method: 'eth_getLogs',
      isLong: true,
      params: [{ blockHash: block.header.hash }],
      read: (answer: unknown) => this.complete(answer, block, watched, held.another()),
      refused: () => null,
      tooMuch: () => null,
    }));
    const large = doubtful.filter(({ bloom }) => isSaturated(bloom));
    const take = (part: HeldLogs | null, i: number) => {
      if (part === null) large.push(all[i]!);
      else held.take(part);
    };
    await this.rpc.each(endpoint, calls, take, WHOLE_BLOCKS_AT_ONCE);
    for (const block of large) await this.largeBlocks.complete(endpoint, block, watched, held);
  }

  /** @returns `too_wide`: the range is narrower now; `too_much`: the only block of the range is */
  private async ofRange(
    endpoint: Endpoint,
    range: readonly AnsweredBlock[],
    watched: WatchedAssets,
    width: AdaptiveSize,
  ): Promise<AnsweredLogs | 'too_wide' | 'too_much'> {
    const first = range[0]!.header.number;
    const call = {
      method: 'eth_getLogs',
      isLong: true,
      params: [{ fromBlock: hex(first), toBlock: hex(first + range.length - 1), ...watched.filter }],
      read: (answer: unknown) => readLogs(answer, watched, (number) => range[number - first]?.header),
    };
    try {
      const logs = await this.rpc.callOnce(endpoint, call);
      width.succeeded(range.length);
      return logs;
    } catch (error) {
      if (!(error instanceof EndpointFailure) || error.kind === 'rate_limited') throw error;
      if (range.length === 1 && mayBeTooMuch(error)) {
        width.oneWasTooMuch();
        return 'too_much';
      }
      // Nodes refuse too wide a range under so many codes and words that any refusal is taken for one.
      if (range.length === 1 || !(error.kind === 'refused' || isTooMuch(error)))
        return this.rpc.call(endpoint, call);
      width.narrow(range.length);
      // Each further try would wait as long again for an endpoint that is perhaps dead: the next turn asks for less.
      if (error.kind === 'timeout') throw error;
      return 'too_wide';
    }
  }

  private async ofEach(
    endpoint: Endpoint,
    blocks: readonly AnsweredBlock[],
    watched: WatchedAssets,
    held: HeldLogs,
  ): Promise<void> {
    if (watched.filter.address.length === 0) return;
    const calls = blocks.map(({ header }) => ({
      method: 'eth_getLogs',
      isLong: true,
      params: [{ blockHash: header.hash, ...watched.filter }],
      read: (answer: unknown): AnsweredLogs | 'too_much' =>
        readLogs(answer, watched, (number) => (number === header.number ? header : undefined)),
      refused: () => 'too_much' as const,
      tooMuch: () => this.unlessAway(endpoint, header.hash),
    }));
    const large: AnsweredBlock[] = [];
    const hold = async (logs: AnsweredLogs | 'too_much', i: number) => {
      if (logs === 'too_much') large.push(blocks[i]!);
      else await this.hold(endpoint, [blocks[i]!], logs, watched, held);
    };
    await this.rpc.each(endpoint, calls, hold, BLOCKS_AT_ONCE);
    for (const block of large) await this.largeBlocks.read(endpoint, block, watched, held);
  }

  /** One that answers nothing is not waited for as often as there are blocks. */
  private async unlessAway(endpoint: Endpoint, hash: string): Promise<'too_much'> {
    await this.blocks.know(endpoint, [hash]);
    return 'too_much';
  }

  private doubtful(
    blocks: readonly AnsweredBlock[],
    held: HeldLogs,
    { bloom }: WatchedAssets,
  ): AnsweredBlock[] {
    return blocks.filter((block) => !held.isShown(block.header.hash) && bloom.mayBeIn(block.bloom));
  }

  /** Null where these are not all logs of the block, or one of them cannot be read: receipts may show what they are. */
  private complete(
    answer: unknown,
    block: AnsweredBlock,
    watched: WatchedAssets,
    held: HeldLogs,
  ): HeldLogs | null {
    if (!Array.isArray(answer)) throw new MalformedAnswer('the logs are not a list');
    const logs = new CompleteLogs(block, watched, this.cover, held);
    try {
      for (const each of answer) logs.add(each);
      logs.end();
    } catch (error) {
      if (error instanceof MalformedAnswer) return null;
      throw error;
    }
    held.prove(block.header.hash);
    return held;
  }

  /** Logs that contradict one another, and one that cannot be read, are asked for by receipts, unless they are foreign. */
  private async hold(
    endpoint: Endpoint,
    blocks: readonly AnsweredBlock[],
    { logs, disputed, unreadable }: AnsweredLogs,
    watched: WatchedAssets,
    held: HeldLogs,
  ): Promise<void> {
    const own = await held.ownOf(disputed);
    const doubted = new Set([...unreadable, ...own.map(({ block }) => block.hash)]);
    for (const log of logs) if (!doubted.has(log.block.hash)) held.add(log);
    await held.settle();
    for (const block of blocks)
      if (doubted.has(block.header.hash)) await this.largeBlocks.byReceipts(endpoint, block, watched, held);
  }

  private width(endpoint: Endpoint): AdaptiveSize {
    let width = this.widths.get(endpoint);
    if (width === undefined) this.widths.set(endpoint, (width = new AdaptiveSize(FIRST_RANGE, WIDEST_RANGE)));
    return width;
  }
}
