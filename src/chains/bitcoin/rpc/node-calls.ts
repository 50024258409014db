import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { fieldsOf, readCount } from './read-answers.js';

/** Requests the node's clock in milliseconds. */
export const NODE_TIME: RpcCall<number> = {
  method: 'getnettotals',
  params: [],
  read: (answer) => readCount(fieldsOf(answer, 'the totals')['timemillis'], 'timemillis'),
};

/** Null if the node does not report it, as btcd does not. */
export const RELAYS_TRANSACTIONS: RpcCall<boolean | null> = {
  method: 'getnetworkinfo',
  params: [],
  isLong: true,
  read: (answer) => flagOf(answer, 'localrelay'),
  refused: () => null,
};

/** BIP-125: Bitcoin Core reports this setting in versions 24 to 28; later versions always permit replacement. */
export const REPLACES_ALL: RpcCall<boolean | null> = {
  method: 'getmempoolinfo',
  params: [],
  read: (answer) => flagOf(answer, 'fullrbf'),
  refused: () => null,
};

export const POOL_BYTES: RpcCall<number | null> = {
  method: 'getmempoolinfo',
  params: [],
  read: (answer) => readCount(fieldsOf(answer, 'the mempool')['bytes'], 'bytes'),
  refused: () => null,
};

function flagOf(answer: unknown, name: string): boolean | null {
  const flag = fieldsOf(answer, 'the answer')[name];
  return typeof flag === 'boolean' ? flag : null;
}
