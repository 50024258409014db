import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { fieldsOf, readCount } from './read-answers.js';

/** The node's clock, in milliseconds: Bitcoin Core and btcd name it with the bytes that they sent. */
export const NODE_TIME: RpcCall<number> = {
  method: 'getnettotals',
  params: [],
  read: (answer) => readCount(fieldsOf(answer, 'the totals')['timemillis'], 'timemillis'),
};

/** True where the node takes transactions of others; null where it does not say, as btcd does not. */
export const RELAYS_TRANSACTIONS: RpcCall<boolean | null> = {
  method: 'getnetworkinfo',
  params: [],
  isLong: true,
  read: (answer) => flagOf(answer, 'localrelay'),
  refused: () => null,
};

/**
 * True where a transaction may take the place of one that does not signal it (BIP-125); null where the node does not say:
 * Bitcoin Core says so in versions 24 to 28, and later ones always do.
 */
export const REPLACES_ALL: RpcCall<boolean | null> = {
  method: 'getmempoolinfo',
  params: [],
  read: (answer) => flagOf(answer, 'fullrbf'),
  refused: () => null,
};

/** Virtual bytes of all transactions that wait; null where the node does not say. */
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
