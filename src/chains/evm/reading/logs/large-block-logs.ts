import { Injectable } from '@nestjs/common';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { AnsweredBlock } from '../../rpc/block-answers.js';
import { type Fields, address, readFields, toHexQuantity } from '../../rpc/hex-fields.js';
import { JsonRpc } from '#chains/rpc/json-rpc.js';
import { readLog } from '../../rpc/log-answers.js';
import { failureOf } from '#chains/rpc/rpc-envelope.js';
import { EndpointFailure, MalformedAnswer, mayBeTooLarge } from '#chains/rpc/rpc-failures.js';
import { BloomCover, LogFilter, isSaturated } from './bloom-filter.js';
import { ChainOrder, CompleteLogs } from './complete-logs.js';
import { EndpointBlocks } from '../endpoint-blocks.js';
import type { HeldLogs } from './held-logs.js';
import { TransactionReceipts } from '../transaction-receipts.js';
import type { WatchedAssets } from '../watched-assets.js';

type ReadMethod = () => Promise<void>;
type AllLogs = (logs: CompleteLogs, settle: ReadMethod) => Promise<void>;

/** No method holds the complete block in memory. */
@Injectable()
export class LargeBlockLogs {
  private readonly cover = new BloomCover();

  constructor(
    private readonly rpc: JsonRpc,
    private readonly blocks: EndpointBlocks,
    private readonly receipts: TransactionReceipts,
  ) {}

  /** Reads the relevant logs into `held`: by the normal query in parts, then by contract, then by receipts. */
  async read(
    endpoint: Endpoint,
    block: AnsweredBlock,
    watched: WatchedAssets,
    held: HeldLogs,
  ): Promise<void> {
    // Throws if the endpoint is unavailable or lacks the block, so that only blocks that are too large continue.
    await this.blocks.know(endpoint, [block.header.hash]);
    const each = watched.filter.address.map((contract) => [contract]);
    const inPart = (groups: readonly (readonly string[])[]): ReadMethod => {
      return async () => {
        const part = held.another();
        await this.byContracts(endpoint, block, watched, groups, part);
        held.take(part);
      };
    };
    await this.firstOf(
      inPart([watched.filter.address]),
      inPart(each),
      ...this.receiptWays(endpoint, block, watched, held),
    );
  }

  /** Used if the normal query returned no logs although the bloom filter allows some. */
  async complete(
    endpoint: Endpoint,
    block: AnsweredBlock,
    watched: WatchedAssets,
    held: HeldLogs,
  ): Promise<void> {
    const unfiltered = this.all(endpoint, block, watched, held, (logs) =>
      this.unfiltered(endpoint, block, logs),
    );
    // A saturated bloom filter cannot prove that the answer contains all logs, so receipts are required.
    const first = isSaturated(block.bloom) ? [] : [unfiltered];
    await this.firstOf(...first, ...this.receiptWays(endpoint, block, watched, held));
  }

  /** Used if the answers to other queries contradicted each other. */
  async byReceipts(
    endpoint: Endpoint,
    block: AnsweredBlock,
    watched: WatchedAssets,
    held: HeldLogs,
  ): Promise<void> {
    await this.firstOf(...this.receiptWays(endpoint, block, watched, held));
  }

  private receiptWays(
    endpoint: Endpoint,
    block: AnsweredBlock,
    watched: WatchedAssets,
    held: HeldLogs,
  ): ReadMethod[] {
    const all = (way: AllLogs) => this.all(endpoint, block, watched, held, way);
    return [
      all((logs, settle) => this.byBlockReceipts(endpoint, block, logs, settle)),
      all((logs, settle) => this.receipts.each(endpoint, block.header.hash, (log) => logs.add(log), settle)),
    ];
  }

  /** Adds the relevant logs to `held` only after the method has read all logs of the block. */
  private all(
    endpoint: Endpoint,
    block: AnsweredBlock,
    watched: WatchedAssets,
    held: HeldLogs,
    way: AllLogs,
  ): ReadMethod {
    return async () => {
      const part = held.another();
      const logs = new CompleteLogs(block, watched, this.cover, part);
      await way(logs, () => part.settle());
      this.requireAll(endpoint, logs);
      part.prove(block.header.hash);
      held.take(part);
    };
  }

  /**
   * @throws the first method's error, which is the most informative, if all methods fail
   */
  private async firstOf(...ways: readonly ReadMethod[]): Promise<void> {
    let failure: unknown = null;
    for (const way of ways) {
      try {
        return await way();
      } catch (error) {
        const isMalformed = error instanceof EndpointFailure && error.kind === 'malformed';
        if (!isMalformed && !mayBeTooLarge(error)) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }

  /** Proves for a group without logs that there are none. */
  private async byContracts(
    endpoint: Endpoint,
    block: AnsweredBlock,
    watched: WatchedAssets,
    groups: readonly (readonly string[])[],
    held: HeldLogs,
  ): Promise<void> {
    const silent: string[] = [];
    for (const group of groups) {
      const part = held.another();
      await this.selectedLogs(endpoint, block, group, watched, part);
      const mayHaveSome = new LogFilter({ emitters: group, topics: watched.events }).mayBeIn(block.bloom);
      if (mayHaveSome && !part.isShown(block.header.hash)) silent.push(...group);
      held.take(part);
    }
    held.prove(block.header.hash);
    if (silent.length === 0) return;
    const filter = { ...watched.filter, address: silent };
    await this.complete(endpoint, block, { ...watched, filter }, held);
  }

  private selectedLogs(
    endpoint: Endpoint,
    { header }: AnsweredBlock,
    contracts: readonly string[],
    watched: WatchedAssets,
    held: HeldLogs,
  ): Promise<void> {
    const order = new ChainOrder();
    return this.rpc.streamOnce(endpoint, {
      method: 'eth_getLogs',
      params: [{ blockHash: header.hash, ...watched.filter, address: contracts }],
      result: 'list',
      take: {
        'result.*': (value) => {
          const log = readFields(value, 'a log');
          order.next(log);
          if (!isEmittedBy(log, contracts))
            throw new MalformedAnswer('a log is from a contract that was not requested');
          held.add(readLog(log, watched, header));
        },
      },
      settle: () => held.settle(),
    });
  }

  private unfiltered(endpoint: Endpoint, { header }: AnsweredBlock, logs: CompleteLogs): Promise<void> {
    return this.rpc.streamOnce(endpoint, {
      method: 'eth_getLogs',
      params: [{ blockHash: header.hash }],
      result: 'list',
      take: { 'result.*': (log) => logs.add(log) },
    });
  }

  /** Requests all receipts of the block by number, which every node supports. */
  private async byBlockReceipts(
    endpoint: Endpoint,
    { header, bloom }: AnsweredBlock,
    logs: CompleteLogs,
    settle: ReadMethod,
  ): Promise<void> {
    const shown = new Set<unknown>();
    await this.rpc.streamOnce(endpoint, {
      method: 'eth_getBlockReceipts',
      params: [toHexQuantity(header.number)],
      result: 'list',
      take: {
        // Also takes the hashes, because most receipts have few logs and the distance between two values taken is
        // limited.
        'result.*.transactionHash': (hash) => void shown.add(hash),
        'result.*.logs.*': (log) => logs.add(log),
      },
      settle,
    });
    if (!isSaturated(bloom)) return;
    const hashes = await this.receipts.transactions(endpoint, header.hash);
    if (hashes.every((hash) => shown.has(hash))) return;
    throw failureOf(endpoint, 'eth_getBlockReceipts', new MalformedAnswer('a receipt is missing'));
  }

  private requireAll(endpoint: Endpoint, logs: CompleteLogs): void {
    try {
      logs.end();
    } catch (error) {
      throw failureOf(endpoint, 'logs', error);
    }
  }
}

function isEmittedBy(log: Fields, contracts: readonly string[]): boolean {
  return contracts.includes(log.address as string) || contracts.includes(address(log.address, 'address'));
}
