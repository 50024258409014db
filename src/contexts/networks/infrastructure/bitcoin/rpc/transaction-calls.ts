import type { RpcCall } from '../../json-rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../json-rpc/rpc-failures.js';
import { type RawTransaction, readTransaction } from '../reading/raw-transaction.js';
import { REFUSALS, fieldsOf, nullFor, readBytes, readCount, readHash, readList } from './read-answers.js';

/** A transaction with the block that it stands in; null: in none. */
export interface LocatedTransaction {
  readonly transaction: RawTransaction;
  readonly blockHash: string | null;
}

/** Ids of all that waits for a block. */
export const POOL: RpcCall<string[]> = {
  method: 'getrawmempool',
  params: [false],
  isLong: true,
  read: (answer) => readList(answer, 'the pool', (id) => readHash(id, 'a transaction id')),
};

/** When the node took each of all that wait, in seconds of its clock. */
export const POOL_TIMES: RpcCall<ReadonlyMap<string, number>> = {
  method: 'getrawmempool',
  params: [true],
  isLong: true,
  read(answer) {
    const entries = Object.entries(fieldsOf(answer, 'the pool'));
    return new Map(entries.map(([id, entry]) => [readHash(id, 'a transaction id'), timeOf(entry)]));
  },
};

/** When the node took a transaction that waits; null where none waits under that id, or the node has no such answer. */
export function poolTimeOf(id: string): RpcCall<number | null> {
  return {
    method: 'getmempoolentry',
    params: [id],
    read: timeOf,
    refused: nullFor(REFUSALS.notFound, REFUSALS.misc, REFUSALS.unknownMethod),
  };
}

function timeOf(entry: unknown): number {
  return readCount(Math.floor(Number(fieldsOf(entry, 'an entry of the pool')['time'])), 'time');
}

/** Null where the node does not know it; without an index of transactions it knows those that wait alone. */
export function transactionOf(id: string): RpcCall<RawTransaction | null> {
  return {
    method: 'getrawtransaction',
    params: [id, 0],
    isLong: true,
    read: (answer) => readOf(id, answer),
    refused: nullFor(REFUSALS.notFound),
  };
}

/** The same with its block. */
export function locatedTransaction(id: string): RpcCall<LocatedTransaction | null> {
  return {
    method: 'getrawtransaction',
    params: [id, 1],
    isLong: true,
    read(answer) {
      const { hex, blockhash } = fieldsOf(answer, 'a transaction');
      const isWaiting = blockhash === undefined || blockhash === '';
      return {
        transaction: readOf(id, hex),
        blockHash: isWaiting ? null : readHash(blockhash, 'blockhash'),
      };
    },
    refused: nullFor(REFUSALS.notFound),
  };
}

function readOf(id: string, answer: unknown): RawTransaction {
  const transaction = readTransaction(readBytes(answer, 'a transaction'));
  if (transaction.id !== id) throw new MalformedAnswer('another transaction came than was asked for');
  return transaction;
}

/**
 * The transactions that wait and spend these outputs, each `<transaction id>:<index>`, in their order; null for one that
 * none spends. The whole is null where the node has no such answer: Bitcoin Core has it from version 24 on.
 */
export function poolSpendersOf(outpoints: readonly string[]): RpcCall<(string | null)[] | null> {
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
        const { spendingtxid } = fieldsOf(each, 'a spender');
        return spendingtxid === undefined || spendingtxid === ''
          ? null
          : readHash(spendingtxid, 'spendingtxid');
      });
      if (spenders.length !== outpoints.length) throw new MalformedAnswer('a spender is missing');
      return spenders;
    },
    refused: nullFor(REFUSALS.unknownMethod),
  };
}

/** True where the chain's blocks have that output and spend it nowhere; what waits does not count. */
export function isUnspent(outpoint: string): RpcCall<boolean> {
  const [id, index] = outpoint.split(':');
  return {
    method: 'gettxout',
    params: [id, Number(index), false],
    isLong: true,
    read: (answer) => answer !== null,
    refused(refusal) {
      if (refusal.code === REFUSALS.notFound) return false;
      throw refusal;
    },
  };
}
