import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { readFields, readCount } from './read-answers.js';

/** Requests the node's clock in milliseconds. */
export const NODE_TIME_CALL: RpcCall<number> = {
  method: 'getnettotals',
  params: [],
  read: (answer) => readCount(readFields(answer, 'the totals')['timemillis'], 'timemillis'),
};

/** Null if the node does not report it, as btcd does not. */
export const RELAYS_TRANSACTIONS_CALL: RpcCall<boolean | null> = {
  method: 'getnetworkinfo',
  params: [],
  isLong: true,
  read: (answer) => readFlag(answer, 'localrelay'),
  refused: () => null,
};

/** BIP-125: Bitcoin Core reports this setting in versions 24 to 28; later versions always permit replacement. */
export const REPLACES_WITHOUT_SIGNAL_CALL: RpcCall<boolean | null> = {
  method: 'getmempoolinfo',
  params: [],
  read: (answer) => readFlag(answer, 'fullrbf'),
  refused: () => null,
};

export const MEMPOOL_VBYTES_CALL: RpcCall<number | null> = {
  method: 'getmempoolinfo',
  params: [],
  read: (answer) => readCount(readFields(answer, 'the mempool')['bytes'], 'bytes'),
  refused: () => null,
};

function readFlag(answer: unknown, name: string): boolean | null {
  const flag = readFields(answer, 'the answer')[name];
  return typeof flag === 'boolean' ? flag : null;
}
