import type { ParsedBlock } from '#chains/ethereum-rpc/block-answers.js';
import {
  type JsonFields,
  readAddressField,
  readFields,
  readQuantity,
  readWord,
} from '#chains/ethereum-rpc/hex-fields.js';
import { readLog } from '#chains/ethereum-rpc/log-answers.js';
import { MalformedAnswer } from '#chains/rpc/rpc-failures.js';
import { type BloomCover, type UncoveredBits, isBloomSaturated } from './bloom-filter.js';
import type { LogBuffer } from './log-buffer.js';
import type { WatchedAssets } from '../watched-assets.js';

/** The block's bloom filter proves that no log is missing. */
export class LogCompletenessCheck {
  private readonly uncovered: UncoveredBits;

  constructor(
    private readonly block: ParsedBlock,
    private readonly watched: WatchedAssets,
    cover: BloomCover,
    private readonly held: LogBuffer,
  ) {
    this.uncovered = cover.uncovered(block.bloom);
  }

  add(value: unknown): void {
    const log = readFields(value, 'a log');
    if (readWord(log.blockHash, 'blockHash') !== this.block.header.hash)
      throw new MalformedAnswer('a log belongs to another block');
    const emitter = readAddressField(log.address, 'address');
    // Some nodes omit the field `topics` of a log without topics.
    const given = log.topics ?? [];
    if (!Array.isArray(given)) throw new MalformedAnswer('the topics are not a list');
    const topics = given.map((topic) => readWord(topic, 'a topic'));
    const { filter, events } = this.watched;
    if (filter.address.includes(emitter) && topics[0] !== undefined && events.includes(topics[0]))
      this.held.add(readLog(log, this.watched, this.block.header));
    if (!this.uncovered.areThere) return;
    this.uncovered.cover(emitter);
    for (const topic of topics) this.uncovered.cover(topic);
  }

  verifyComplete(): void {
    if (this.uncovered.areThere && !isBloomSaturated(this.block.bloom))
      throw new MalformedAnswer(`block ${this.block.header.number} has logs that were not returned`);
  }
}

/** Checks that the logs of one answer are in chain order, so that no log counts twice. */
export class LogOrderCheck {
  private last = -1;

  verifyNext({ logIndex }: JsonFields): void {
    const index = readQuantity(logIndex, 'logIndex');
    if (index <= this.last) throw new MalformedAnswer('the logs are not in order');
    this.last = index;
  }
}
