import { invalidField } from '#shared/kernel/domain-error.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { FoundTransaction, TransactionLookup } from '#contexts/networks/contract/transaction-lookup.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { EndpointPool } from '../../rpc/endpoint-pool.js';
import { limitUserWait } from '../../rpc/while-somebody-waits.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { heightCall } from '../rpc/block-calls.js';
import { transactionWithBlockHashCall } from '../rpc/transaction-calls.js';
import { type HeaderChain, dateOfUnixSeconds } from './header-chain.js';
import { addressedOutputs, transferOfOutput } from './output-transfers.js';
import type { ReadableNetwork, WatchedChains } from './watched-chains.js';

/** A node without a transaction index knows only pending transactions. */
export class BitcoinTransactionLookup implements TransactionLookup {
  constructor(
    private readonly network: string,
    private readonly networks: WatchedChains,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
    private readonly headers: HeaderChain,
  ) {}

  parseHash(field: string, text: string): string {
    if (/^[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase();
    throw invalidField(field, 'transaction_hash', 'must be 64 hexadecimal digits.');
  }

  async find(hash: string): Promise<FoundTransaction | 'unknown'> {
    const watched = this.networks.readableNetwork(this.network);
    const endpoint = this.pool.currentReadingEndpoint(this.network);
    const asked = this.pool.asking(endpoint, () => this.ask(endpoint, hash, watched));
    return limitUserWait(this.network, asked);
  }

  private async ask(
    endpoint: Endpoint,
    hash: string,
    watched: ReadableNetwork,
  ): Promise<FoundTransaction | 'unknown'> {
    const found = await this.rpc.callOnce(endpoint, transactionWithBlockHashCall(hash));
    if (found === null) return 'unknown';
    const { transaction, blockHash } = found;
    const blockNumber = blockHash === null ? null : await this.rpc.callOnce(endpoint, heightCall(blockHash));
    if (blockHash === null || blockNumber === null)
      return { blockNumber: null, blockHash: null, succeeded: true, transfers: [] };
    const [header] = await this.headers.headers(endpoint, [blockHash]);
    if (header == null)
      throw new ChainUnavailable(endpoint.network, `it no longer returns block ${blockHash}.`);
    const transfers = addressedOutputs([transaction], watched).map((output) =>
      transferOfOutput(output, watched, dateOfUnixSeconds(header.stamp)),
    );
    return { blockNumber, blockHash, succeeded: true, transfers };
  }
}
