import { Injectable } from '@nestjs/common';
import { type ChainTransfer, StateUnavailable } from '../../contract/chain-reader.js';
import type { Endpoint } from './endpoint.js';
import { type Fields, fieldsOf, readAmount, readQuantity, word } from './hex-fields.js';
import { JsonRpc } from './json-rpc.js';
import { present, readCall } from './rpc-answers.js';
import { EndpointFailure, MalformedAnswer, type RpcRefusal } from './rpc-failures.js';
import { readLog } from './rpc-logs.js';
import type { WatchedAssets } from './watched-assets.js';

/** Addresses whose balances one batch asks for. */
const BALANCES_AT_ONCE = 1_000;

interface Receipt {
  readonly blockHash: string;
  readonly succeeded: boolean;
  readonly fields: Fields;
}

/** Receipts and balances as one endpoint tells them. Throws `ChainUnavailable` only. */
@Injectable()
export class EndpointProofs {
  constructor(private readonly rpc: JsonRpc) {}

  /** Which of the transactions of that block succeeded. */
  async succeeded(
    endpoint: Endpoint,
    blockHash: string,
    transactionHashes: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const receipts = await this.rpc.batch(
      endpoint,
      transactionHashes.map((hash) => ({
        method: 'eth_getTransactionReceipt',
        params: [hash],
        read: (answer: unknown) => {
          const receipt = present(readReceipt(hash, answer), 'such receipt');
          if (receipt.blockHash !== blockHash) throw new MalformedAnswer('a receipt is of another block');
          return receipt.succeeded;
        },
      })),
    );
    return new Set(transactionHashes.filter((_, i) => receipts[i] === true));
  }

  /** Native balances right after that block (EIP-1898). @throws StateUnavailable where it is pruned */
  balances(endpoint: Endpoint, blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    const { network } = endpoint;
    const refused = (refusal: RpcRefusal) => {
      if (isPruned(refusal)) throw new StateUnavailable(network, refusal.message);
      throw refusal;
    };
    const calls = addresses.map((address) => ({
      method: 'eth_getBalance',
      params: [address, { blockHash }],
      read: (answer: unknown) => readAmount(answer, 'the balance'),
      refused,
    }));
    return this.rpc.batch(endpoint, calls, BALANCES_AT_ONCE);
  }

  /**
   * Whether the transfer's transaction stands in that block, succeeded, and holds it.
   * @throws ChainUnavailable also where the endpoint does not know the block, or lacks what it must have of it
   */
  async holds(
    endpoint: Endpoint,
    blockHash: string,
    transfer: ChainTransfer,
    watched: WatchedAssets,
  ): Promise<boolean> {
    const { transactionHash: hash, kind } = transfer;
    const receipt = await this.rpc.call(endpoint, {
      method: 'eth_getTransactionReceipt',
      params: [hash],
      read: (answer) => readReceipt(hash, answer),
    });
    if (receipt === null) return this.absent(endpoint, blockHash, hash);
    if (!receipt.succeeded || receipt.blockHash !== blockHash) return false;
    if (kind === 'log') return holdsLog(receipt.fields, blockHash, transfer);
    return this.rpc.call(endpoint, {
      method: 'eth_getTransactionByHash',
      params: [hash],
      read: (answer) =>
        isSameCall(
          fieldsOf(present(answer, 'transaction of its own receipt'), 'a transaction'),
          blockHash,
          transfer,
          watched,
        ),
    });
  }

  /**
   * That a receipt is missing may be an index behind the chain: only the block's own list shows that the transaction
   * is not in it.
   * @returns false, for the transaction is not there
   */
  private async absent(endpoint: Endpoint, blockHash: string, hash: string): Promise<false> {
    const listed = await this.rpc.call(endpoint, {
      method: 'eth_getBlockByHash',
      params: [blockHash, false],
      read: (answer) => {
        const { transactions, ...block } = fieldsOf(present(answer, 'such block'), 'a block');
        if (word(block.hash, 'hash') !== blockHash) throw new MalformedAnswer('another block came');
        if (!Array.isArray(transactions)) throw new MalformedAnswer('the transactions are not a list');
        return transactions.some((each) => word(each, 'a transaction') === hash);
      },
    });
    if (!listed) return false;
    throw new EndpointFailure(
      endpoint.network,
      'it lacks the receipt of a transaction of its own block.',
      'malformed',
    );
  }
}

function readReceipt(hash: string, answer: unknown): Receipt | null {
  if (answer === null) return null;
  const fields = fieldsOf(answer, 'a receipt');
  if (word(fields.transactionHash, 'transactionHash') !== hash)
    throw new MalformedAnswer('a receipt is of another transaction');
  const status = readQuantity(fields.status, 'status');
  return { blockHash: word(fields.blockHash, 'blockHash'), succeeded: status === 1, fields };
}

function holdsLog({ logs, blockNumber }: Fields, hash: string, transfer: ChainTransfer): boolean {
  if (!Array.isArray(logs)) throw new MalformedAnswer('the logs of a receipt are not a list');
  const block = { number: readQuantity(blockNumber, 'blockNumber'), hash };
  const wanted = { tokens: new Set([transfer.token]), factory: null };
  return logs.some((each) => {
    const log = fieldsOf(each, 'a log');
    if (readQuantity(log.logIndex, 'logIndex') !== transfer.index) return false;
    if (String(log.address).toLowerCase() !== transfer.token) return false;
    return isSame(readLog(log, wanted, block).transfer, transfer);
  });
}

function isSameCall(
  transaction: Fields,
  blockHash: string,
  transfer: ChainTransfer,
  { native }: WatchedAssets,
): boolean {
  if (transaction.blockHash === null || word(transaction.blockHash, 'blockHash') !== blockHash) return false;
  const index = readQuantity(transaction.transactionIndex, 'transactionIndex');
  // A coin that is catalogued no more has no name of its own left to compare.
  const call = readCall(transaction, index, native ?? transfer.token);
  return isSame(call, { ...transfer, token: native ?? transfer.token });
}

function isSame(one: ChainTransfer | null, other: ChainTransfer): boolean {
  return (
    one !== null &&
    one.kind === other.kind &&
    one.transactionHash === other.transactionHash &&
    one.index === other.index &&
    one.token === other.token &&
    one.from === other.from &&
    one.to === other.to &&
    one.amount === other.amount
  );
}

/** In the words of the nodes in use, which have no code of their own for it. */
function isPruned({ details }: RpcRefusal): boolean {
  return /missing trie node|prun(?:ed|ing)|(?:historical|world)? ?state\b.{0,120}\b(?:not available|unavailable|not found|missing)|no (?:historical )?state|(?:old|historical) data (?:is )?(?:not available|unavailable)|archive (?:node|request|data)/i.test(
    details,
  );
}
