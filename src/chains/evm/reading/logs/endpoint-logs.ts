import { Injectable } from '@nestjs/common';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { AdaptiveSize } from '#chains/rpc/adaptive-size.js';
import { BloomCover, isBloomSaturated } from './bloom-filter.js';
import { LogCompletenessCheck } from './log-completeness-check.js';
import { EndpointBlocks } from '../endpoint-blocks.js';
import type { LogBuffer } from './log-buffer.js';
import { LargeBlockLogs } from './large-block-logs.js';
import { toHexQuantity } from '#chains/ethereum-rpc/hex-fields.js';
import { JsonRpc } from '#chains/rpc/json-rpc.js';
import type { ParsedBlock } from '#chains/ethereum-rpc/block-answers.js';
import {
  EndpointFailure,
  MalformedAnswer,
  mayWorkWithSmallerRequest,
  mayBeTooLarge,
} from '#chains/rpc/rpc-failures.js';
import { type ParsedLogs, readLogs } from '#chains/ethereum-rpc/log-answers.js';
import type { WatchedAssets } from '../watched-assets.js';

const FIRST_RANGE_BLOCKS = 500;
const WIDEST_RANGE_BLOCKS = 5_000;
const BLOCKS_AT_ONCE = 50;
/** Smaller than for filtered logs, because all logs of a block can be a megabyte. */
const UNFILTERED_BLOCKS_AT_ONCE = 8;

/** Throws only `ChainUnavailable`. */
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
   * Requests logs by block hash, so that they cannot come from another fork. A node that does not know the block yet
   * may return none, so a block whose bloom filter allows logs is queried again with proof.
   */
  async byHash(
    endpoint: Endpoint,
    blocks: readonly ParsedBlock[],
    watched: WatchedAssets,
    held: LogBuffer,
  ): Promise<void> {
    await this.ofEach(endpoint, blocks, watched, held);
    const doubtful = this.doubtful(blocks, held, watched);
    if (doubtful.length === 0) return;
    await this.blocks.requireKnownBlocks(
      endpoint,
      doubtful.map(({ header }) => header.hash),
    );
    await this.again(endpoint, doubtful, watched, held);
  }

  /**
   * A lagging index returns too few logs, so blocks without logs whose bloom filters allow some are queried again one
   * by one.
   */
  async byRanges(
    endpoint: Endpoint,
    blocks: readonly ParsedBlock[],
    watched: WatchedAssets,
    held: LogBuffer,
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

  /** A second empty answer may come from the same lagging index, and accepting it would lose a payment. */
  private async again(
    endpoint: Endpoint,
    blocks: readonly ParsedBlock[],
    watched: WatchedAssets,
    held: LogBuffer,
  ): Promise<void> {
    await this.ofEach(endpoint, blocks, watched, held);
    const doubtful = this.doubtful(blocks, held, watched);
    const all = doubtful.filter(({ bloom }) => !isBloomSaturated(bloom));
    const calls = all.map((block) => ({
      method: 'eth_getLogs',
      isLong: true,
      params: [{ blockHash: block.header.hash }],
      read: (answer: unknown) => this.complete(answer, block, watched, held.createEmpty()),
      refused: () => null,
      tooMuch: () => null,
    }));
    const large = doubtful.filter(({ bloom }) => isBloomSaturated(bloom));
    const take = (part: LogBuffer | null, i: number) => {
      if (part === null) large.push(all[i]!);
      else held.merge(part);
    };
    await this.rpc.each(endpoint, calls, take, UNFILTERED_BLOCKS_AT_ONCE);
    for (const block of large) await this.largeBlocks.complete(endpoint, block, watched, held);
  }

  /**
   * @returns `too_wide`: the range was narrowed for the next request; `too_much`: a single block has too many logs
   */
  private async ofRange(
    endpoint: Endpoint,
    range: readonly ParsedBlock[],
    watched: WatchedAssets,
    width: AdaptiveSize,
  ): Promise<ParsedLogs | 'too_wide' | 'too_much'> {
    const first = range[0]!.header.number;
    const call = {
      method: 'eth_getLogs',
      isLong: true,
      params: [
        {
          fromBlock: toHexQuantity(first),
          toBlock: toHexQuantity(first + range.length - 1),
          ...watched.filter,
        },
      ],
      read: (answer: unknown) => readLogs(answer, watched, (number) => range[number - first]?.header),
    };
    try {
      const logs = await this.rpc.callOnce(endpoint, call);
      width.succeeded(range.length);
      return logs;
    } catch (error) {
      if (!(error instanceof EndpointFailure) || error.kind === 'rate_limited') throw error;
      if (range.length === 1 && mayBeTooLarge(error)) {
        width.recordSingleItemTooLarge();
        return 'too_much';
      }
      // Nodes reject wide ranges with many different codes and messages, so any rejection counts as too wide.
      if (range.length === 1 || !(error.kind === 'refused' || mayWorkWithSmallerRequest(error)))
        return this.rpc.call(endpoint, call);
      width.shrink(range.length);
      // Does not retry after a timeout: the endpoint may be down, and each retry would wait for the full timeout.
      if (error.kind === 'timeout') throw error;
      return 'too_wide';
    }
  }

  private async ofEach(
    endpoint: Endpoint,
    blocks: readonly ParsedBlock[],
    watched: WatchedAssets,
    held: LogBuffer,
  ): Promise<void> {
    if (watched.filter.address.length === 0) return;
    const calls = blocks.map(({ header }) => ({
      method: 'eth_getLogs',
      isLong: true,
      params: [{ blockHash: header.hash, ...watched.filter }],
      read: (answer: unknown): ParsedLogs | 'too_much' =>
        readLogs(answer, watched, (number) => (number === header.number ? header : undefined)),
      refused: () => 'too_much' as const,
      tooMuch: () => this.unlessAway(endpoint, header.hash),
    }));
    const large: ParsedBlock[] = [];
    const hold = async (logs: ParsedLogs | 'too_much', i: number) => {
      if (logs === 'too_much') large.push(blocks[i]!);
      else await this.hold(endpoint, [blocks[i]!], logs, watched, held);
    };
    await this.rpc.each(endpoint, calls, hold, BLOCKS_AT_ONCE);
    for (const block of large) await this.largeBlocks.read(endpoint, block, watched, held);
  }

  /** Throws if the endpoint does not respond at all, to avoid one timeout per block. */
  private async unlessAway(endpoint: Endpoint, hash: string): Promise<'too_much'> {
    await this.blocks.requireKnownBlocks(endpoint, [hash]);
    return 'too_much';
  }

  private doubtful(blocks: readonly ParsedBlock[], held: LogBuffer, { bloom }: WatchedAssets): ParsedBlock[] {
    return blocks.filter((block) => !held.isBlockCovered(block.header.hash) && bloom.mayBeIn(block.bloom));
  }

  private complete(
    answer: unknown,
    block: ParsedBlock,
    watched: WatchedAssets,
    held: LogBuffer,
  ): LogBuffer | null {
    if (!Array.isArray(answer)) throw new MalformedAnswer('the logs are not a list');
    const logs = new LogCompletenessCheck(block, watched, this.cover, held);
    try {
      for (const each of answer) logs.add(each);
      logs.verifyComplete();
    } catch (error) {
      if (error instanceof MalformedAnswer) return null;
      throw error;
    }
    held.markComplete(block.header.hash);
    return held;
  }

  /** Uses receipts instead if a log is malformed, or if logs of the service's own addresses contradict each other. */
  private async hold(
    endpoint: Endpoint,
    blocks: readonly ParsedBlock[],
    { logs, disputed, unreadable }: ParsedLogs,
    watched: WatchedAssets,
    held: LogBuffer,
  ): Promise<void> {
    const own = await held.selectOwn(disputed);
    const doubted = new Set([...unreadable, ...own.map(({ block }) => block.hash)]);
    for (const log of logs) if (!doubted.has(log.block.hash)) held.add(log);
    await held.keepOnlyOwnLogs();
    for (const block of blocks)
      if (doubted.has(block.header.hash)) await this.largeBlocks.byReceipts(endpoint, block, watched, held);
  }

  private width(endpoint: Endpoint): AdaptiveSize {
    let width = this.widths.get(endpoint);
    if (width === undefined)
      this.widths.set(endpoint, (width = new AdaptiveSize(FIRST_RANGE_BLOCKS, WIDEST_RANGE_BLOCKS)));
    return width;
  }
}
