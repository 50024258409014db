import { invalidField } from '#shared/kernel/domain-error.js';
import { ChainUnavailable, type ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import type { FoundTransaction, TransactionLookup } from '#contexts/networks/contract/transaction-lookup.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { EndpointPool } from '../../rpc/endpoint-pool.js';
import { limitUserWait } from '../../rpc/while-somebody-waits.js';
import {
  type JsonFields,
  readAddressField,
  readFields,
  readQuantity,
  readWord,
} from '../../ethereum-rpc/hex-fields.js';
import type { IdentifiedNetworks } from './watched-assets.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { readNativeTransfer } from '../../ethereum-rpc/block-answers.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { NO_PAYOUT_SELECTION, readLog, TRANSFER_TOPIC } from '../../ethereum-rpc/log-answers.js';

/** Tries only once, with a separate short timeout. */
export class RpcTransactionLookup implements TransactionLookup {
  constructor(
    private readonly network: string,
    private readonly networks: IdentifiedNetworks,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
  ) {}

  parseHash(field: string, text: string): string {
    if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase();
    throw invalidField(field, 'transaction_hash', 'must be 0x and 64 hexadecimal digits.');
  }

  async find(hash: string): Promise<FoundTransaction | 'unknown'> {
    const { native } = this.networks.watchedAssets(this.network);
    const endpoint = this.pool.currentReadingEndpoint(this.network);
    const asked = this.pool.asking(endpoint, () => this.ask(endpoint, hash, native ?? 'native'));
    return limitUserWait(this.network, asked);
  }

  private async ask(endpoint: Endpoint, hash: string, native: string): Promise<FoundTransaction | 'unknown'> {
    const fields = (method: string, what: string) =>
      this.rpc.callOnce(endpoint, {
        method,
        isLong: true,
        params: [hash],
        read: (answer) => (answer === null ? null : readFields(answer, what)),
      });
    const [transaction, receipt] = await Promise.all([
      fields('eth_getTransactionByHash', 'a transaction'),
      fields('eth_getTransactionReceipt', 'a receipt'),
    ]);
    try {
      return readFoundTransaction(hash, transaction, receipt, native);
    } catch (error) {
      if (error instanceof MalformedAnswer) throw new ChainUnavailable(endpoint.network, error.message);
      throw error;
    }
  }
}

function readFoundTransaction(
  hash: string,
  transaction: JsonFields | null,
  receipt: JsonFields | null,
  native: string,
): FoundTransaction | 'unknown' {
  for (const answer of [transaction && transaction.hash, receipt && receipt.transactionHash]) {
    if (answer !== null && readWord(answer, 'hash') !== hash)
      throw new MalformedAnswer('the endpoint returned another transaction than requested');
  }
  if (receipt === null) {
    return transaction === null
      ? 'unknown'
      : { blockNumber: null, blockHash: null, succeeded: true, transfers: [] };
  }
  const blockNumber = readQuantity(receipt.blockNumber, 'blockNumber');
  const blockHash = readWord(receipt.blockHash, 'blockHash');
  // Receipts from before the Byzantium upgrade (EIP-658) have no status.
  const succeeded = receipt.status === undefined || readQuantity(receipt.status, 'status') === 1;
  if (!succeeded) return { blockNumber, blockHash, succeeded, transfers: [] };
  const index = readQuantity(receipt.transactionIndex, 'transactionIndex');
  const call = transaction === null ? null : readNativeTransfer(transaction, index, native);
  return {
    blockNumber,
    blockHash,
    succeeded,
    transfers: [...(call === null ? [] : [call]), ...tokenTransfersIn(receipt)],
  };
}

export function tokenTransfersIn({ logs, blockHash, blockNumber }: JsonFields): ChainTransfer[] {
  if (!Array.isArray(logs)) throw new MalformedAnswer('the logs of a receipt are not a list');
  const block = {
    number: readQuantity(blockNumber, 'blockNumber'),
    hash: readWord(blockHash, 'blockHash'),
  };
  return logs.flatMap((each) => {
    const log = readFields(each, 'a log');
    if (!Array.isArray(log.topics) || log.topics[0] !== TRANSFER_TOPIC) return [];
    const anyToken = { tokens: new Set([readAddressField(log.address, 'address')]), ...NO_PAYOUT_SELECTION };
    const { transfer } = readLog(log, anyToken, block);
    return transfer === null ? [] : [transfer];
  });
}
