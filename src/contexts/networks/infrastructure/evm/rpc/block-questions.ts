import type { BlockHeader } from '../../../contract/chain-reader.js';
import { present, readHeader } from './block-answers.js';
import type { RpcCall } from './rpc-envelope.js';
import type { RpcRefusal } from './rpc-failures.js';

export const NEWEST_HEADER: RpcCall<BlockHeader> = {
  method: 'eth_getBlockByNumber',
  params: ['latest', false],
  read: (answer) => present(readHeader(answer), 'newest block'),
};

/** Null before there is one. */
export const FINALIZED_HEADER: RpcCall<BlockHeader | null> = {
  method: 'eth_getBlockByNumber',
  params: ['finalized', false],
  read: readHeader,
  refused: noneFinalizedYet,
};

/** Until its first checkpoint a young chain has no finalized block, which nodes tell by an error instead of null. */
function noneFinalizedYet(refusal: RpcRefusal): null {
  if (/finalized block (?:is )?not found|unknown block/i.test(refusal.details)) return null;
  throw refusal;
}
