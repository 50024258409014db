import { Injectable } from '@nestjs/common';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { requirePresent, readTransactionHashes } from '../../ethereum-rpc/block-answers.js';
import { type JsonFields, readFields, readQuantity, readWord } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { toEndpointFailure } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';

/** A receipt that is too large is read in parts. */
const RECEIPTS_AT_ONCE = 20;

const RECEIPT_METHOD = 'eth_getTransactionReceipt';

/**
 * Reads a block's logs from the receipts of its transactions, one receipt after the other. Every node supports this.
 */
@Injectable()
export class TransactionReceipts {
  constructor(private readonly rpc: JsonRpc) {}

  transactionHashes(endpoint: Endpoint, blockHash: string): Promise<string[]> {
    return this.rpc.call(endpoint, {
      method: 'eth_getBlockByHash',
      isLong: true,
      params: [blockHash, false],
      read: (answer) => readTransactionHashes(blockHash, requirePresent(answer, 'such block')),
    });
  }

  /**
   * @param take called with each log, in chain order within a receipt
   */
  async each(
    endpoint: Endpoint,
    blockHash: string,
    take: (log: unknown) => void,
    settle: () => Promise<void>,
  ): Promise<void> {
    const hashes = await this.transactionHashes(endpoint, blockHash);
    const calls = hashes.map((hash) => ({
      method: RECEIPT_METHOD,
      isLong: true,
      params: [hash],
      read: (answer: unknown): readonly unknown[] => logsOf(hash, answer),
      tooMuch: async (): Promise<readonly unknown[]> => {
        await this.large(endpoint, hash, take, settle);
        return [];
      },
    }));
    const taken = async (logs: readonly unknown[]) => {
      try {
        logs.forEach(take);
      } catch (error) {
        throw toEndpointFailure(endpoint, RECEIPT_METHOD, error);
      }
      await settle();
    };
    await this.rpc.each(endpoint, calls, taken, RECEIPTS_AT_ONCE);
  }

  async inParts(endpoint: Endpoint, hash: string, logIndexes: ReadonlySet<number>): Promise<JsonFields> {
    const fields: Record<string, unknown> = {};
    const logs: JsonFields[] = [];
    const put = (name: string) => (value: unknown) => void (fields[name] = value);
    await this.rpc.streamOnce(endpoint, {
      method: RECEIPT_METHOD,
      params: [hash],
      result: 'object',
      take: {
        'result.transactionHash': put('transactionHash'),
        'result.blockHash': put('blockHash'),
        'result.blockNumber': put('blockNumber'),
        'result.status': put('status'),
        'result.logs.*': (value) => {
          const log = readFields(value, 'a log');
          if (logIndexes.has(readQuantity(log.logIndex, 'logIndex'))) logs.push(log);
        },
      },
    });
    return { ...fields, logs };
  }

  private large(
    endpoint: Endpoint,
    hash: string,
    take: (log: unknown) => void,
    settle: () => Promise<void>,
  ): Promise<void> {
    return this.rpc.streamOnce(endpoint, {
      method: RECEIPT_METHOD,
      params: [hash],
      result: 'object',
      take: {
        'result.transactionHash': (value) => isOf(hash, value),
        'result.logs.*': (value) => {
          const log = readFields(value, 'a log');
          isOf(hash, log.transactionHash);
          take(log);
        },
      },
      settle,
    });
  }
}

function logsOf(hash: string, answer: unknown): readonly unknown[] {
  const { transactionHash, logs } = readFields(requirePresent(answer, 'such receipt'), 'a receipt');
  isOf(hash, transactionHash);
  if (!Array.isArray(logs)) throw new MalformedAnswer('the logs of a receipt are not a list');
  for (const each of logs) isOf(hash, readFields(each, 'a log').transactionHash);
  return logs;
}

function isOf(hash: string, value: unknown): void {
  if (readWord(value, 'transactionHash') !== hash)
    throw new MalformedAnswer('a receipt belongs to another transaction');
}
