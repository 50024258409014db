import { BlockStateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { ChainTypeEndpointSettings } from '../../rpc/endpoint-pool.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { BITCOIN } from '../bitcoin-network.js';
import { type RawBlock, type RawHeader, readBlock, readHeader } from '../reading/raw-block.js';
import {
  RPC_ERROR_CODES,
  readFields,
  nullForRefusals,
  readBytes,
  readCount,
  readHash,
} from './read-answers.js';

/** Enough to download the eight million hexadecimal digits of a block over a slow connection. */
const BLOCK_TIMEOUT_MS = 30_000;

export interface ChainInfo {
  readonly number: number;
  readonly hash: string;
  /** Far above the height of the newest block while the node syncs. */
  readonly headers: number;
  /** True while Bitcoin Core syncs. btcd does not report it. */
  readonly isCatchingUp: boolean;
  readonly isPruned: boolean;
  /** Blocks below this height were pruned. 0 if none were, or if the node does not report it. */
  readonly prunedBelow: number;
}

export const CHAIN_INFO_CALL: RpcCall<ChainInfo> = {
  method: 'getblockchaininfo',
  params: [],
  read(answer) {
    const info = readFields(answer, 'the chain');
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

/** Number of confirmations that Bitcoin Core reports for a block that has left its chain. */
const CONFIRMATIONS_OF_ORPHAN = -1;

/** Blocks are occasionally two hours apart. */
const HEAD_STALLED_AFTER_MS = 2 * 3_600_000;

/** btcd closes each connection after its answer and accepts ten concurrent connections from all clients together. */
const MAX_CONNECTIONS = 4;

export const BITCOIN_ENDPOINT_SETTINGS: ChainTypeEndpointSettings = {
  family: BITCOIN,
  newest: CHAIN_INFO_CALL,
  standsStillAfterMs: HEAD_STALLED_AFTER_MS,
  connections: MAX_CONNECTIONS,
};

export function blockHashCall(number: number): RpcCall<string | null> {
  return {
    method: 'getblockhash',
    params: [number],
    read: (answer) => readHash(answer, 'the hash of a block'),
    refused: nullForRefusals(RPC_ERROR_CODES.outOfRange, RPC_ERROR_CODES.misc),
  };
}

export function headerCall(hash: string): RpcCall<RawHeader | null> {
  return {
    method: 'getblockheader',
    params: [hash, false],
    read: (answer) => requireRequestedHash(hash, readHeader(readBytes(answer, 'a header'))),
    refused: nullForRefusals(RPC_ERROR_CODES.notFound),
  };
}

/** Null for a block outside the chain; btcd reports no height for those. */
export function heightCall(hash: string): RpcCall<number | null> {
  return {
    method: 'getblockheader',
    params: [hash, true],
    read(answer) {
      const { confirmations, height } = readFields(answer, 'a header');
      return confirmations === CONFIRMATIONS_OF_ORPHAN ? null : readCount(height, 'height');
    },
    refused: nullForRefusals(RPC_ERROR_CODES.notFound, RPC_ERROR_CODES.internal),
  };
}

/**
 * Bytes, unlike JSON, can be verified against the hash, are the same on both node types, and are a third of the size.
 */
export function blockCall(network: string, hash: string): RpcCall<RawBlock | null> {
  return {
    method: 'getblock',
    params: [hash, 0],
    isLong: true,
    timeoutMs: BLOCK_TIMEOUT_MS,
    read(answer) {
      const bytes = readBytes(answer, 'a block');
      // Check the proof of work before parsing anything else.
      requireRequestedHash(hash, readHeader(bytes));
      return readBlock(bytes);
    },
    refused(refusal) {
      if (refusal.code === RPC_ERROR_CODES.notFound) return null;
      if (/prune|not available/i.test(refusal.details))
        throw new BlockStateUnavailable(network, `its node has pruned block ${hash}.`);
      throw refusal;
    },
  };
}

function requireRequestedHash(hash: string, header: RawHeader): RawHeader {
  if (header.hash !== hash) throw new MalformedAnswer('the endpoint returned another block than requested');
  return header;
}
