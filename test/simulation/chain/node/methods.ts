import type { MemoryChain } from '../memory-chain.js';
import { PoolRefusal } from '../pool.js';
import { blockAnswer, quantity, receiptAnswer, transactionAnswer, wordOf, findLogs } from './answers.js';
import {
  type AskedCall,
  bytesOf,
  estimate,
  messageOf,
  nextBlock,
  requireSuccess,
  runCall,
  sameBlock,
  type AccountOverride,
  type BlockOverride,
  withBlockOverrides,
  withOverrides,
  simulate,
  traceCall,
} from './calls.js';
import { NodeHead, NodeRefusal, type NodeView } from './node-head.js';

export interface Asked {
  readonly chain: MemoryChain;
  readonly view: NodeView;
  readonly head: NodeHead;
  readonly params: readonly unknown[];
}

export type Method = (asked: Asked) => unknown;

/** A question for logs may span so many blocks. */
const WIDEST_RANGE = 10_000;

export const METHODS: Readonly<Record<string, Method>> = {
  web3_clientVersion: () => 'Memory/1.0',
  net_version: ({ chain }) => String(chain.chainId),
  eth_syncing: () => false,
  eth_chainId: ({ chain }) => quantity(chain.chainId),
  eth_blockNumber: ({ head }) => quantity(head.block.number),
  eth_gasPrice: ({ chain, head }) => quantity(chain.baseFeeUpon(head.block) + chain.suggestedTip),
  eth_maxPriorityFeePerGas: ({ chain }) => quantity(chain.suggestedTip),
  eth_getBlockByNumber: ({ head, params: [name, isFull] }) => {
    const block = head.find(name);
    return block && blockAnswer(block, isFull === true);
  },
  eth_getBlockByHash: ({ head, params: [hash, isFull] }) => {
    const block = head.byHash(hash);
    return block && blockAnswer(block, isFull === true);
  },
  eth_getBlockReceipts: ({ head, params: [name] }) => {
    const isHash = typeof name === 'string' && name.length === 66;
    const block = isHash ? head.byHash(name) : head.find(name);
    return block && block.transactions.map((mined) => receiptAnswer(block, mined));
  },
  eth_getTransactionByHash: ({ chain, head, params: [hash] }) => {
    const place = head.placeOf(hash);
    if (place !== null) return transactionAnswer(place[1].signed, ...place);
    const waiting = chain.pool.find(String(hash).toLowerCase());
    return waiting === undefined ? null : transactionAnswer(waiting, null, null);
  },
  eth_getTransactionByBlockHashAndIndex: ({ head, params: [hash, index] }) => {
    const block = head.byHash(hash);
    const mined = block?.transactions[Number(index)];
    return mined === undefined ? null : transactionAnswer(mined.signed, block, mined);
  },
  eth_getRawTransactionByHash: ({ chain, head, params: [hash] }) =>
    (head.placeOf(hash)?.[1].signed ?? chain.pool.find(String(hash).toLowerCase()))?.raw ?? null,
  eth_getTransactionReceipt: ({ head, params: [hash] }) => {
    const place = head.placeOf(hash);
    return place && receiptAnswer(...place);
  },
  eth_getLogs: ({ head, params: [filter] }) => findLogs(filter as object, head, WIDEST_RANGE),
  eth_getBalance: ({ head, params: [address, name] }) => quantity(head.account(address, name).balance),
  eth_getCode: ({ head, params: [address, name] }) => bytesOf(head.account(address, name).code),
  eth_getStorageAt: ({ head, params: [address, slot, name] }) =>
    wordOf(
      head
        .account(address, name)
        .storage.get(wordOf(Buffer.from(String(slot).slice(2).padStart(64, '0'), 'hex'))),
    ),
  eth_getTransactionCount: ({ chain, head, params: [address, name] }) =>
    name === 'pending'
      ? quantity(chain.pool.nextNonce(head.block.state, String(address).toLowerCase()))
      : quantity(head.account(address, name).nonce),
  eth_call: async ({ chain, head, params: [call, name, state, fields] }) => {
    const block = head.withState(name);
    const around = withBlockOverrides(sameBlock(chain, block), fields as BlockOverride);
    const upon = withOverrides(block.state, state as Record<string, AccountOverride>);
    const message = messageOf(call as AskedCall, around.gasLimit, around.baseFee);
    return requireSuccess(await runCall(chain, message, around, upon));
  },
  eth_estimateGas: ({ chain, head, params: [call, name, state] }) => {
    const block = head.withState(name);
    const upon = withOverrides(block.state, state as Record<string, AccountOverride>);
    return estimate(chain, call as AskedCall, nextBlock(chain, block), upon);
  },
  eth_simulateV1: ({ chain, head, params: [asked, name] }) =>
    simulate(chain, asked as Parameters<typeof simulate>[1], head.withState(name)),
  debug_traceCall: ({ chain, head, params: [call, name, options] }) =>
    traceCall(chain, call as AskedCall, head.withState(name), (options ?? {}) as object),
  eth_sendRawTransaction: ({ chain, head, params: [raw] }) => {
    try {
      return chain.send(String(raw), head.block).hash;
    } catch (error) {
      if (error instanceof PoolRefusal) throw new NodeRefusal(-32000, error.message);
      throw new NodeRefusal(-32000, `rlp: ${(error as Error).message}`);
    }
  },
};
