import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { type TransferPrices, TransferPricing } from '#contexts/networks/application/chain-types.js';
import { EndpointPool } from '../rpc/endpoint-pool.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { FEE_RATE, PLAIN_FEE_RATE } from './rpc/fee-calls.js';
import { WatchedChains } from './reading/watched-chains.js';

/** The size of a payment that spends one output of a usual wallet, with change, in virtual bytes. */
const VBYTES = 141n;
const VBYTES_OF_A_RATE = 1_000n;
/** A thousand satoshis for each byte: more than blocks have ever asked for, but a node can answer anything. */
const MAX_RATE = 1_000_000n;

/** One endpoint is enough, because nothing but a hint to payers rests on it. */
@Injectable()
export class BitcoinTransferPricing extends TransferPricing {
  constructor(
    private readonly settings: NetworksSettings,
    private readonly networks: WatchedChains,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
  ) {
    super();
  }

  async now(network: string): Promise<TransferPrices | null> {
    this.networks.watched(network);
    const coin = this.settings.networks.find((each) => each.network === network)?.assets.find(isNative);
    const rate = await this.pool.asking(
      this.pool.sameReading(network),
      async (endpoint) =>
        (await this.rpc.callOnce(endpoint, FEE_RATE)) ?? this.rpc.callOnce(endpoint, PLAIN_FEE_RATE),
    );
    if (coin === undefined || rate === null || rate > MAX_RATE) return null;
    // A fraction of a satoshi is one.
    const native = (rate * VBYTES + VBYTES_OF_A_RATE - 1n) / VBYTES_OF_A_RATE;
    return { coin, native, token: native };
  }
}
