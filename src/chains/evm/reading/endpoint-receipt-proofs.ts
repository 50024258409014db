import { Injectable } from '@nestjs/common';
import type { ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { type JsonFields, readFields, readQuantity, readWord } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import {
  requirePresent,
  readNativeTransfer,
  readTransactionHashes,
} from '../../ethereum-rpc/block-answers.js';
import { toEndpointFailure } from '../../rpc/rpc-envelope.js';
import { EndpointFailure, MalformedAnswer, mayBeTooLarge } from '../../rpc/rpc-failures.js';
import { type LogBlock, NO_PAYOUT_SELECTION, readLog } from '../../ethereum-rpc/log-answers.js';
import { EndpointBlocks } from './endpoint-blocks.js';
import { TransactionReceipts } from './transaction-receipts.js';
import type { WatchedAssets } from './watched-assets.js';

interface Receipt {
  readonly blockHash: string;
  readonly succeeded: boolean;
  readonly fields: JsonFields;
}

/** `stands`: the receipt is from the expected block, and the transaction succeeded. */
interface ReceiptProof {
  readonly stands: boolean;
  readonly logs: boolean[];
}

/** Throws only `ChainUnavailable`. */
@Injectable()
export class EndpointReceiptProofs {
  constructor(
    private readonly rpc: JsonRpc,
    private readonly blocks: EndpointBlocks,
    private readonly receipts: TransactionReceipts,
  ) {}

  async succeededTransactions(
    endpoint: Endpoint,
    blockHash: string,
    transactionHashes: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const receipts = await this.rpc.batch(
      endpoint,
      transactionHashes.map((hash) => ({
        method: 'eth_getTransactionReceipt',
        isLong: true,
        params: [hash],
        read: (answer: unknown) => {
          const receipt = requirePresent(readReceipt(hash, answer), 'such receipt');
          if (receipt.blockHash !== blockHash)
            throw new MalformedAnswer('a receipt belongs to another block');
          return receipt.succeeded;
        },
      })),
    );
    return new Set(transactionHashes.filter((_, i) => receipts[i] === true));
  }

  /** @throws ChainUnavailable also if the receipt of a failed transaction contains one of the logs */
  async containsTransfers(
    endpoint: Endpoint,
    blockHash: string,
    transfers: readonly ChainTransfer[],
    watched: WatchedAssets,
  ): Promise<boolean[]> {
    const hash = transfers[0]?.transactionHash;
    if (hash === undefined) return [];
    if (transfers.some(({ transactionHash }) => transactionHash !== hash))
      throw new Error('One receipt is of one transaction.');
    const shown = await this.shown(endpoint, hash, blockHash, transfers);
    if (shown === null) return this.absent(endpoint, blockHash, hash, transfers);
    if (!shown.stands || transfers.every(({ kind }) => kind === 'log')) return shown.logs;
    const calls = await this.rpc.call(endpoint, {
      method: 'eth_getTransactionByHash',
      isLong: true,
      params: [hash],
      read: (answer) => {
        const transaction = readFields(
          requirePresent(answer, 'transaction for a receipt that it returned'),
          'a transaction',
        );
        return transfers.map((transfer) => isSameCall(transaction, blockHash, transfer, watched));
      },
    });
    return transfers.map((_, i) => shown.logs[i]! || calls[i]!);
  }

  private async shown(
    endpoint: Endpoint,
    hash: string,
    blockHash: string,
    transfers: readonly ChainTransfer[],
  ): Promise<ReceiptProof | null> {
    try {
      return await this.rpc.call(endpoint, {
        method: 'eth_getTransactionReceipt',
        isLong: true,
        params: [hash],
        read: (answer) => {
          const receipt = readReceipt(hash, answer);
          return receipt === null ? null : proofByReceipt(receipt, blockHash, transfers);
        },
      });
    } catch (error) {
      if (!mayBeTooLarge(error)) throw error;
      await this.blocks.requireKnownBlocks(endpoint, [blockHash]);
      const indexes = new Set(transfers.filter(({ kind }) => kind === 'log').map(({ index }) => index));
      const fields = await this.receipts.inParts(endpoint, hash, indexes);
      try {
        return proofByReceipt(readReceipt(hash, fields)!, blockHash, transfers);
      } catch (fault) {
        throw toEndpointFailure(endpoint, 'eth_getTransactionReceipt', fault);
      }
    }
  }

  /** The block's list of transactions is the proof: a missing receipt may be due to a lagging index. */
  private async absent(
    endpoint: Endpoint,
    blockHash: string,
    hash: string,
    transfers: readonly ChainTransfer[],
  ): Promise<boolean[]> {
    const listed = await this.rpc.call(endpoint, {
      method: 'eth_getBlockByHash',
      isLong: true,
      params: [blockHash, false],
      read: (answer) => readTransactionHashes(blockHash, requirePresent(answer, 'such block')).includes(hash),
    });
    if (!listed) return transfers.map(() => false);
    throw new EndpointFailure(
      endpoint.network,
      'it does not return the receipt of a transaction in a block that it returned.',
      'malformed',
    );
  }
}

function readReceipt(hash: string, answer: unknown): Receipt | null {
  if (answer === null) return null;
  const fields = readFields(answer, 'a receipt');
  if (readWord(fields.transactionHash, 'transactionHash') !== hash)
    throw new MalformedAnswer('a receipt belongs to another transaction');
  const status = readQuantity(fields.status, 'status');
  return { blockHash: readWord(fields.blockHash, 'blockHash'), succeeded: status === 1, fields };
}

function proofByReceipt(
  { succeeded, blockHash: ofBlock, fields }: Receipt,
  blockHash: string,
  transfers: readonly ChainTransfer[],
): ReceiptProof {
  const isOfBlock = ofBlock === blockHash;
  if (!isOfBlock || transfers.every(({ kind }) => kind === 'call'))
    return { stands: succeeded && isOfBlock, logs: transfers.map(() => false) };
  const found = logsByIndex(fields);
  const block = { number: readQuantity(fields.blockNumber, 'blockNumber'), hash: blockHash };
  const logs = transfers.map((transfer) =>
    (found.get(transfer.index) ?? []).some((log) => isSameLog(log, block, transfer)),
  );
  if (!succeeded && logs.includes(true)) throw new MalformedAnswer('a failed transaction has a log');
  return { stands: succeeded, logs };
}

function logsByIndex({ logs }: JsonFields): Map<number, JsonFields[]> {
  if (!Array.isArray(logs)) throw new MalformedAnswer('the logs of a receipt are not a list');
  const found = new Map<number, JsonFields[]>();
  for (const each of logs) {
    const log = readFields(each, 'a log');
    const index = readQuantity(log.logIndex, 'logIndex');
    const others = found.get(index);
    if (others === undefined) found.set(index, [log]);
    else others.push(log);
  }
  return found;
}

function isSameLog(log: JsonFields, block: LogBlock, transfer: ChainTransfer): boolean {
  if (String(log.address).toLowerCase() !== transfer.token) return false;
  const selection = { tokens: new Set([transfer.token]), ...NO_PAYOUT_SELECTION };
  return isSameTransfer(readLog(log, selection, block).transfer, transfer);
}

function isSameCall(
  transaction: JsonFields,
  blockHash: string,
  transfer: ChainTransfer,
  { native }: WatchedAssets,
): boolean {
  if (transaction.blockHash === null || readWord(transaction.blockHash, 'blockHash') !== blockHash)
    return false;
  const index = readQuantity(transaction.transactionIndex, 'transactionIndex');
  // A native coin that was removed from the asset catalogue has no symbol to compare.
  const call = readNativeTransfer(transaction, index, native ?? transfer.token);
  return isSameTransfer(call, { ...transfer, token: native ?? transfer.token });
}

function isSameTransfer(one: ChainTransfer | null, other: ChainTransfer): boolean {
  return one !== null && keyOf(one) === keyOf(other);
}

function keyOf({ kind, transactionHash, index, token, from, to, amount }: ChainTransfer): string {
  return [kind, transactionHash, index, token, from, to, amount].join(' ');
}
