import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { type RawTransaction, readTransaction } from '../reading/raw-transaction.js';
import { NATIVE_DECIMALS } from '../bitcoin-network.js';
import {
  type AnswerFields,
  RPC_ERROR_CODES,
  readFields,
  nullForRefusals,
  readBytes,
  readCount,
  readHash,
  readList,
} from './read-answers.js';

export interface TransactionWithBlockHash {
  readonly transaction: RawTransaction;
  readonly blockHash: string | null;
}

export const MEMPOOL_IDS_CALL: RpcCall<string[]> = {
  method: 'getrawmempool',
  params: [false],
  isLong: true,
  read: (answer) => readList(answer, 'the pool', (id) => readHash(id, 'a transaction id')),
};

export interface NodeMempoolEntry {
  /** Time when the node accepted the transaction, in seconds of the node's clock. */
  readonly time: number;
  /**
   * Satoshis per 1,000 virtual bytes: the transaction's own rate, or the rate including its unconfirmed ancestors if
   * lower.
   */
  readonly feeRate: number | null;
}

export const MEMPOOL_ENTRIES_CALL: RpcCall<ReadonlyMap<string, NodeMempoolEntry>> = {
  method: 'getrawmempool',
  params: [true],
  isLong: true,
  read(answer) {
    const entries = Object.entries(readFields(answer, 'the pool'));
    return new Map(entries.map(([id, entry]) => [readHash(id, 'a transaction id'), readMempoolEntry(entry)]));
  },
};

export function mempoolEntryCall(id: string): RpcCall<NodeMempoolEntry | null> {
  return {
    method: 'getmempoolentry',
    params: [id],
    read: readMempoolEntry,
    refused: nullForRefusals(RPC_ERROR_CODES.notFound, RPC_ERROR_CODES.misc, RPC_ERROR_CODES.unknownMethod),
  };
}

function readMempoolEntry(answer: unknown): NodeMempoolEntry {
  const entry = readFields(answer, 'an entry of the pool');
  const time = readCount(Math.floor(Number(entry['time'])), 'time');
  const { base = entry['fee'], ancestor } = (entry['fees'] ?? {}) as AnswerFields;
  const own = feeRateOf(base, entry['vsize']);
  // btcd lists the unconfirmed ancestors, but not their fees, so the rate is known only without ancestors.
  const isAlone = Array.isArray(entry['depends']) && entry['depends'].length === 0;
  const whole = isAlone ? own : feeRateOf(ancestor, entry['ancestorsize']);
  return { time, feeRate: own === null || whole === null ? null : Math.min(own, whole) };
}

/** @param fee in bitcoin, not in satoshis */
function feeRateOf(fee: unknown, virtualBytes: unknown): number | null {
  const rate = (Math.round(Number(fee) * 10 ** NATIVE_DECIMALS) * 1_000) / Number(virtualBytes);
  return Number.isFinite(rate) ? rate : null;
}

export function transactionCall(id: string): RpcCall<RawTransaction | null> {
  return {
    method: 'getrawtransaction',
    params: [id, 0],
    isLong: true,
    read: (answer) => readOf(id, answer),
    refused: nullForRefusals(RPC_ERROR_CODES.notFound),
  };
}

export function transactionWithBlockHashCall(id: string): RpcCall<TransactionWithBlockHash | null> {
  return {
    method: 'getrawtransaction',
    params: [id, 1],
    isLong: true,
    read(answer) {
      const { hex, blockhash } = readFields(answer, 'a transaction');
      const isWaiting = blockhash === undefined || blockhash === '';
      return {
        transaction: readOf(id, hex),
        blockHash: isWaiting ? null : readHash(blockhash, 'blockhash'),
      };
    },
    refused: nullForRefusals(RPC_ERROR_CODES.notFound),
  };
}

function readOf(id: string, answer: unknown): RawTransaction {
  const transaction = readTransaction(readBytes(answer, 'a transaction'));
  if (transaction.id !== id)
    throw new MalformedAnswer('the endpoint returned another transaction than requested');
  return transaction;
}

/** Null for an unspent output. The result itself is null if the node does not support the call (Bitcoin Core 24). */
export function mempoolSpendersCall(outpoints: readonly string[]): RpcCall<(string | null)[] | null> {
  return {
    method: 'gettxspendingprevout',
    params: [
      outpoints.map((each) => {
        const [txid, vout] = each.split(':');
        return { txid, vout: Number(vout) };
      }),
    ],
    isLong: true,
    read(answer) {
      const spenders = readList(answer, 'the spenders', (each) => {
        const { spendingtxid } = readFields(each, 'a spender');
        return spendingtxid === undefined || spendingtxid === ''
          ? null
          : readHash(spendingtxid, 'spendingtxid');
      });
      if (spenders.length !== outpoints.length) throw new MalformedAnswer('a spender is missing');
      return spenders;
    },
    refused: nullForRefusals(RPC_ERROR_CODES.unknownMethod),
  };
}

/** Ignores pending transactions. */
export function isUnspentCall(outpoint: string): RpcCall<boolean> {
  const [id, index] = outpoint.split(':');
  return {
    method: 'gettxout',
    params: [id, Number(index), false],
    isLong: true,
    read: (answer) => answer !== null,
    refused(refusal) {
      if (refusal.code === RPC_ERROR_CODES.notFound) return false;
      throw refusal;
    },
  };
}
