import { invalidField } from '#shared/kernel/domain-error.js';
import type { ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import type { FoundTransaction, TransactionLookup } from '#contexts/networks/contract/transaction-lookup.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { NO_PAYOUT_SELECTION } from '../../ethereum-rpc/log-answers.js';
import type { EndpointPool } from '../../rpc/endpoint-pool.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { limitUserWait } from '../../rpc/while-somebody-waits.js';
import { tronAddress } from '../addresses/tron-address.js';
import { blockCall, nativeTransferCall, receiptCall } from './tron-calls.js';
import { type TronReceipts, readTronLog } from './tron-receipts.js';
import type { WatchedTronNetworks } from './watched-tron.js';

/** Finds only transactions in blocks: a node does not report others by id. */
export class TronTransactionLookup implements TransactionLookup {
  constructor(
    private readonly network: string,
    private readonly networks: WatchedTronNetworks,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
    private readonly receipts: TronReceipts,
  ) {}

  parseHash(field: string, text: string): string {
    if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(text)) return text.replace(/^0x/, '').toLowerCase();
    throw invalidField(field, 'transaction_hash', 'must be 64 hexadecimal digits.');
  }

  async find(hash: string): Promise<FoundTransaction | 'unknown'> {
    this.networks.watchedAssets(this.network);
    const endpoint = this.pool.currentReadingEndpoint(this.network);
    const asked = this.pool.asking(endpoint, () => this.ask(endpoint, hash));
    return limitUserWait(this.network, asked);
  }

  private async ask(endpoint: Endpoint, id: string): Promise<FoundTransaction | 'unknown'> {
    const receipt = await this.rpc.callOnce(endpoint, receiptCall(id));
    const block = receipt && (await this.rpc.callOnce(endpoint, blockCall(receipt.blockNumber)));
    if (block === null || !block.transactions.includes(id)) return 'unknown';
    const transfers: ChainTransfer[] = [];
    let succeeded = false;
    await this.receipts.receipts(endpoint, [block], (_, receipts) => {
      let index = 0;
      for (const { id: each, succeeded: hasSucceeded, logs } of receipts) {
        if (each === id) succeeded = hasSucceeded;
        for (const log of logs) {
          const selection = { tokens: new Set([`0x${String(log['address'])}`]), ...NO_PAYOUT_SELECTION };
          const { transfer } =
            each === id ? readTronLog(log, { id, index, block }, selection) : { transfer: null };
          if (transfer !== null) transfers.push(transfer);
          index += 1;
        }
      }
    });
    const { number: blockNumber, hash: blockHash } = block.header;
    if (!succeeded) return { blockNumber, blockHash, succeeded, transfers: [] };
    const native = await this.rpc.callOnce(endpoint, nativeTransferCall(id));
    if (native !== null) {
      const { from, to, amount } = native;
      const index = block.transactions.indexOf(id);
      const place = { kind: 'call', transactionHash: id, index, token: 'native' } as const;
      transfers.unshift({ ...place, from: tronAddress(from), to: tronAddress(to), amount });
    }
    return { blockNumber, blockHash, succeeded, transfers };
  }
}
