import type { BloomCover } from './bloom-filter.js';
import { address, fieldsOf, word } from '../rpc/hex-fields.js';
import type { AnsweredBlock } from '../rpc/block-answers.js';
import { MalformedAnswer } from '../rpc/rpc-failures.js';
import type { WatchedAssets } from './watched-assets.js';

/**
 * Reads all logs of a block of which none was told that is wanted.
 * @throws MalformedAnswer where one is wanted after all, or the block's bloom filter knows of logs that are not there
 */
export function proveNone(
  answer: unknown,
  { header, bloom }: AnsweredBlock,
  { filter }: Pick<WatchedAssets, 'filter'>,
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
