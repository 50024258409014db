import { StateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { ChainTypeEndpoints } from '../../rpc/endpoint-pool.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { BITCOIN } from '../bitcoin-network.js';
import { type RawBlock, type RawHeader, readBlock, readHeader } from '../reading/raw-block.js';
import { REFUSALS, fieldsOf, nullFor, readBytes, readCount, readHash } from './read-answers.js';

/** Eight million digits over a slow line. */
const BLOCK_TIMEOUT_MS = 30_000;

/** The chain as a node has it: Bitcoin Core and btcd answer the same questions, if not in the same words. */
export interface ChainInfo {
  /** The height of its newest block. */
  readonly number: number;
  readonly hash: string;
  /** The height up to which it knows headers: far above `number` while it catches up. */
  readonly headers: number;
  /** Bitcoin Core's word for a node that has not caught up yet; btcd has none. */
  readonly isCatchingUp: boolean;
  readonly isPruned: boolean;
  /** Blocks below are gone; 0 where none are, or the node does not say. */
  readonly prunedBelow: number;
}

export const CHAIN_INFO: RpcCall<ChainInfo> = {
  method: 'getblockchaininfo',
  params: [],
  read(answer) {
    const info = fieldsOf(answer, 'the chain');
    return {
      number: readCount(info['blocks'], 'blocks'),
      hash: readHash(info['bestblockhash'], 'bestblockhash'),
      headers: readCount(info['headers'], 'headers'),
      isCatchingUp: info['initialblockdownload'] === true,
      isPruned: info['pruned'] === true,
      prunedBelow: info['pruneheight'] === undefined ? 0 : readCount(info['pruneheight'], 'pruneheight'),
    };
  },
};

/** Bitcoin Core counts so many confirmations of a block that its chain has left. */
const LEFT = -1;

/** A block comes every ten minutes, and now and then after two hours; a node may stand still for as long. */
const STANDS_STILL_AFTER_MS = 2 * 3_600_000;

/** btcd closes each connection after its answer and takes ten at once, of all who ask. */
const CONNECTIONS = 4;

export const BITCOIN_ENDPOINTS: ChainTypeEndpoints = {
  family: BITCOIN,
  newest: CHAIN_INFO,
  standsStillAfterMs: STANDS_STILL_AFTER_MS,
  connections: CONNECTIONS,
};

/** Null above the newest block. */
export function blockHashAt(number: number): RpcCall<string | null> {
  return {
    method: 'getblockhash',
    params: [number],
    read: (answer) => readHash(answer, 'the hash of a block'),
    refused: nullFor(REFUSALS.outOfRange, REFUSALS.misc),
  };
}

/** Null for a block that the node does not know. */
export function headerOf(hash: string): RpcCall<RawHeader | null> {
  return {
    method: 'getblockheader',
    params: [hash, false],
    read: (answer) => asAsked(hash, readHeader(readBytes(answer, 'a header'))),
    refused: nullFor(REFUSALS.notFound),
  };
}

/** The height of a block that stands in the node's chain; null for any other one, of which btcd knows no height. */
export function heightOf(hash: string): RpcCall<number | null> {
  return {
    method: 'getblockheader',
    params: [hash, true],
    read(answer) {
      const { confirmations, height } = fieldsOf(answer, 'a header');
      return confirmations === LEFT ? null : readCount(height, 'height');
    },
    refused: nullFor(REFUSALS.notFound, REFUSALS.internal),
  };
}

/**
 * Null for a block that the node does not know. Its bytes are asked for, not JSON: they prove themselves, the two kinds of
 * nodes spell them alike, and there are a third as many of them.
 */
export function blockOf(network: string, hash: string): RpcCall<RawBlock | null> {
  return {
    method: 'getblock',
    params: [hash, 0],
    isLong: true,
    timeoutMs: BLOCK_TIMEOUT_MS,
    read(answer) {
      const bytes = readBytes(answer, 'a block');
      // Nothing is read of a block for which nobody has worked.
      asAsked(hash, readHeader(bytes));
      return readBlock(bytes);
    },
    refused(refusal) {
      if (refusal.code === REFUSALS.notFound) return null;
      if (/prune|not available/i.test(refusal.details))
        throw new StateUnavailable(network, `its node has pruned block ${hash}.`);
      throw refusal;
    },
  };
}

function asAsked(hash: string, header: RawHeader): RawHeader {
  if (header.hash !== hash) throw new MalformedAnswer('the endpoint returned another block than requested');
  return header;
}
