import { SETTLED_TOPIC, TRANSFER_TOPIC } from '#chains/ethereum-rpc/log-answers.js';
import { SAMPLE_TOKEN } from './sample-configuration.js';

export const HASH = `0x${'ab'.repeat(32)}`;
export const OTHER_HASH = `0x${'cd'.repeat(32)}`;
export const FROM = `0x${'11'.repeat(20)}`;
export const TO = `0x${'22'.repeat(20)}`;
export const FULL_BLOOM = `0x${'ff'.repeat(256)}`;
export const EMPTY_BLOOM = `0x${'00'.repeat(256)}`;

export const hex = (number: number | bigint) => `0x${number.toString(16)}`;
export const wordOf = (number: number | bigint) => `0x${number.toString(16).padStart(64, '0')}`;
export const inTopic = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`;

export const block = (changes: object = {}) => ({
  number: '0x10',
  hash: HASH,
  parentHash: OTHER_HASH,
  timestamp: '0x65000000',
  logsBloom: FULL_BLOOM,
  transactions: [],
  ...changes,
});
export const log = (changes: object = {}) => ({
  address: SAMPLE_TOKEN.toLowerCase(),
  topics: [TRANSFER_TOPIC, inTopic(FROM), inTopic(TO)],
  data: wordOf(1_500),
  blockHash: HASH,
  blockNumber: '0x10',
  transactionHash: OTHER_HASH,
  transactionIndex: '0x2',
  logIndex: '0x7',
  removed: false,
  ...changes,
});
/**
 * Creates the log of a factory's payout of the balance of `TO`: 90 to the settlement address and 10 as fee. Default:
 * native coin.
 */
export const settledLog = (factory: string, changes: object = {}, token?: string) =>
  log({
    address: factory.toLowerCase(),
    topics: [SETTLED_TOPIC],
    data: `0x${[inTopic(TO), token === undefined ? wordOf(0) : inTopic(token), wordOf(90), wordOf(10)].map((word) => word.slice(2)).join('')}`,
    ...changes,
  });
export const transaction = (index: number, changes: object = {}) => ({
  hash: wordOf(0xbeef00 + index),
  blockHash: HASH,
  transactionIndex: hex(index),
  from: FROM,
  to: TO,
  value: '0x5',
  ...changes,
});
export const transfer = (changes: object = {}) => ({
  kind: 'log' as const,
  transactionHash: OTHER_HASH,
  index: 7,
  token: SAMPLE_TOKEN.toLowerCase(),
  from: FROM,
  to: TO,
  amount: 1_500n,
  ...changes,
});
export const call = (index: number, changes: object = {}) => ({
  kind: 'call' as const,
  transactionHash: wordOf(0xbeef00 + index),
  index,
  token: 'ETH',
  from: FROM,
  to: TO,
  amount: 5n,
  ...changes,
});
