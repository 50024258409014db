import { Injectable } from '@nestjs/common';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { ParsedBlock } from '#chains/ethereum-rpc/block-answers.js';
import {
  type JsonFields,
  readAddressField,
  readFields,
  toHexQuantity,
} from '#chains/ethereum-rpc/hex-fields.js';
import { JsonRpc } from '#chains/rpc/json-rpc.js';
import { readLog } from '#chains/ethereum-rpc/log-answers.js';
import { toEndpointFailure } from '#chains/rpc/rpc-envelope.js';
import { EndpointFailure, MalformedAnswer, mayBeTooLarge } from '#chains/rpc/rpc-failures.js';
import { BloomCover, LogFilter, isBloomSaturated } from './bloom-filter.js';
import { LogOrderCheck, LogCompletenessCheck } from './log-completeness-check.js';
import { EndpointBlocks } from '../endpoint-blocks.js';
import type { LogBuffer } from './log-buffer.js';
import { TransactionReceipts } from '../transaction-receipts.js';
import type { WatchedAssets } from '../watched-assets.js';

type ReadMethod = () => Promise<void>;
type AllLogs = (logs: LogCompletenessCheck, settle: ReadMethod) => Promise<void>;

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
  async read(endpoint: Endpoint, block: ParsedBlock, watched: WatchedAssets, held: LogBuffer): Promise<void> {
    // Throws if the endpoint is unavailable or lacks the block, so that only blocks that are too large continue.
    await this.blocks.requireKnownBlocks(endpoint, [block.header.hash]);
    const each = watched.filter.address.map((contract) => [contract]);
    const inPart = (groups: readonly (readonly string[])[]): ReadMethod => {
      return async () => {
        const part = held.createEmpty();
        await this.byContracts(endpoint, block, watched, groups, part);
        held.merge(part);
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
    block: ParsedBlock,
    watched: WatchedAssets,
    held: LogBuffer,
  ): Promise<void> {
    const unfiltered = this.all(endpoint, block, watched, held, (logs) =>
      this.unfiltered(endpoint, block, logs),
    );
    // A saturated bloom filter cannot prove that the answer contains all logs, so receipts are required.
    const first = isBloomSaturated(block.bloom) ? [] : [unfiltered];
    await this.firstOf(...first, ...this.receiptWays(endpoint, block, watched, held));
  }

  /** Used if the answers to other queries contradicted each other. */
  async byReceipts(
    endpoint: Endpoint,
    block: ParsedBlock,
    watched: WatchedAssets,
    held: LogBuffer,
  ): Promise<void> {
    await this.firstOf(...this.receiptWays(endpoint, block, watched, held));
  }

  private receiptWays(
    endpoint: Endpoint,
    block: ParsedBlock,
    watched: WatchedAssets,
    held: LogBuffer,
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
    block: ParsedBlock,
    watched: WatchedAssets,
    held: LogBuffer,
    way: AllLogs,
  ): ReadMethod {
    return async () => {
      const part = held.createEmpty();
      const logs = new LogCompletenessCheck(block, watched, this.cover, part);
      await way(logs, () => part.keepOnlyOwnLogs());
      this.requireAll(endpoint, logs);
      part.markComplete(block.header.hash);
      held.merge(part);
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
    block: ParsedBlock,
    watched: WatchedAssets,
    groups: readonly (readonly string[])[],
    held: LogBuffer,
  ): Promise<void> {
    const silent: string[] = [];
    for (const group of groups) {
      const part = held.createEmpty();
      await this.selectedLogs(endpoint, block, group, watched, part);
      const mayHaveSome = new LogFilter({ emitters: group, topics: watched.events }).mayBeIn(block.bloom);
      if (mayHaveSome && !part.isBlockCovered(block.header.hash)) silent.push(...group);
      held.merge(part);
    }
    held.markComplete(block.header.hash);
    if (silent.length === 0) return;
    const filter = { ...watched.filter, address: silent };
    await this.complete(endpoint, block, { ...watched, filter }, held);
  }

  private selectedLogs(
    endpoint: Endpoint,
    { header }: ParsedBlock,
    contracts: readonly string[],
    watched: WatchedAssets,
    held: LogBuffer,
  ): Promise<void> {
    const order = new LogOrderCheck();
    return this.rpc.streamOnce(endpoint, {
      method: 'eth_getLogs',
      params: [{ blockHash: header.hash, ...watched.filter, address: contracts }],
      result: 'list',
      take: {
        'result.*': (value) => {
          const log = readFields(value, 'a log');
          order.verifyNext(log);
          if (!isEmittedBy(log, contracts))
            throw new MalformedAnswer('a log is from a contract that was not requested');
          held.add(readLog(log, watched, header));
        },
      },
      settle: () => held.keepOnlyOwnLogs(),
    });
  }

  private unfiltered(endpoint: Endpoint, { header }: ParsedBlock, logs: LogCompletenessCheck): Promise<void> {
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
    { header, bloom }: ParsedBlock,
    logs: LogCompletenessCheck,
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
    if (!isBloomSaturated(bloom)) return;
    const hashes = await this.receipts.transactionHashes(endpoint, header.hash);
    if (hashes.every((hash) => shown.has(hash))) return;
    throw toEndpointFailure(endpoint, 'eth_getBlockReceipts', new MalformedAnswer('a receipt is missing'));
  }

  private requireAll(endpoint: Endpoint, logs: LogCompletenessCheck): void {
    try {
      logs.verifyComplete();
    } catch (error) {
      throw toEndpointFailure(endpoint, 'logs', error);
    }
  }
}

function isEmittedBy(log: JsonFields, contracts: readonly string[]): boolean {
  return (
    contracts.includes(log.address as string) || contracts.includes(readAddressField(log.address, 'address'))
  );
}
