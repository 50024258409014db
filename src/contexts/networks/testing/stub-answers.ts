import { TRANSFER_TOPIC } from '../infrastructure/chain/rpc-answers.js';
import { SAMPLE_TOKEN } from './sample-configuration.js';

export const HASH = `0x${'ab'.repeat(32)}`;
export const OTHER_HASH = `0x${'cd'.repeat(32)}`;
export const FROM = `0x${'11'.repeat(20)}`;
export const TO = `0x${'22'.repeat(20)}`;
export const FULL_BLOOM = `0x${'ff'.repeat(256)}`;
export const EMPTY_BLOOM = `0x${'00'.repeat(256)}`;

export const block = (changes: object = {}) => ({
  number: '0x10',
  hash: HASH,
  parentHash: OTHER_HASH,
  timestamp: '0x65000000',
  logsBloom: FULL_BLOOM,
  ...changes,
});
export const inTopic = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`;
export const log = (changes: object = {}) => ({
  address: SAMPLE_TOKEN.toLowerCase(),
  topics: [TRANSFER_TOPIC, inTopic(FROM), inTopic(TO)],
  data: `0x${1_500n.toString(16).padStart(64, '0')}`,
  blockHash: HASH,
  transactionHash: OTHER_HASH,
  logIndex: '0x7',
  removed: false,
  ...changes,
});
export const transfer = (changes: object = {}) => ({
  transactionHash: OTHER_HASH,
  logIndex: 7,
  token: SAMPLE_TOKEN.toLowerCase(),
  from: FROM,
  to: TO,
  amount: 1_500n,
  ...changes,
});
