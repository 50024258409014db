import type { AnsweredBlock } from '../../rpc/block-answers.js';
import { type Fields, address, fieldsOf, readQuantity, word } from '../../rpc/hex-fields.js';
import { readLog } from '../../rpc/log-answers.js';
import { MalformedAnswer } from '#contexts/networks/infrastructure/json-rpc/rpc-failures.js';
import type { BloomCover, UncoveredBits } from './bloom-filter.js';
import type { HeldLogs } from './held-logs.js';
import type { WatchedAssets } from '../watched-assets.js';

/**
 * All logs of one block, whoever wanted them, as they pass: the block's bloom filter shows that none is left out. Wanted
 * ones are held, or must not be there.
 */
export class CompleteLogs {
  private readonly uncovered: UncoveredBits;

  /** @param held null where the endpoint answered before that none is wanted */
  constructor(
    private readonly block: AnsweredBlock,
    private readonly watched: WatchedAssets,
    cover: BloomCover,
    private readonly held: HeldLogs | null,
  ) {
    this.uncovered = cover.uncovered(block.bloom);
  }

  /** @throws MalformedAnswer */
  add(value: unknown): void {
    const log = fieldsOf(value, 'a log');
    if (word(log.blockHash, 'blockHash') !== this.block.header.hash)
      throw new MalformedAnswer('a log is of another block');
    const emitter = address(log.address, 'address');
    if (!Array.isArray(log.topics)) throw new MalformedAnswer('topics are not a list');
    const topics = log.topics.map((topic) => word(topic, 'a topic'));
    const { filter, events } = this.watched;
    if (filter.address.includes(emitter) && topics[0] !== undefined && events.includes(topics[0])) {
      if (this.held === null) throw new MalformedAnswer('a log is there only where nobody asks for it');
      this.held.add(readLog(log, this.watched, this.block.header));
    }
    if (!this.uncovered.areThere) return;
    this.uncovered.cover(emitter);
    for (const topic of topics) this.uncovered.cover(topic);
  }

  /** @throws MalformedAnswer where the block's bloom filter knows of logs that were not shown */
  end(): void {
    if (this.uncovered.areThere)
      throw new MalformedAnswer(`block ${this.block.header.number} has logs that are not told`);
  }
}

/** Logs of one answer come in chain order, so that none is counted twice. */
export class ChainOrder {
  private last = -1;

  /** @throws MalformedAnswer */
  next({ logIndex }: Fields): void {
    const index = readQuantity(logIndex, 'logIndex');
    if (index <= this.last) throw new MalformedAnswer('the logs are not in order');
    this.last = index;
  }
}
