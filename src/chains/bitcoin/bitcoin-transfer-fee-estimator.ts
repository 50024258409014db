import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import {
  type TransferFeeEstimates,
  TransferFeeEstimator,
} from '#contexts/networks/application/chain-types.js';
import { EndpointPool } from '../rpc/endpoint-pool.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { FEE_RATE_CALL, BTCD_FEE_RATE_CALL } from './rpc/fee-calls.js';
import { WatchedChains } from './reading/watched-chains.js';

/** Virtual bytes of a payment that spends one output of a common wallet, with change. */
const TYPICAL_PAYMENT_VBYTES = 141n;
const VBYTES_PER_FEE_RATE = 1_000n;
/** 1,000 satoshis per byte: more than blocks have ever required. */
const MAX_FEE_RATE = 1_000_000n;

/** Estimates fees from a single endpoint, because the result is only a hint to payers. */
@Injectable()
export class BitcoinTransferFeeEstimator extends TransferFeeEstimator {
  constructor(
    private readonly settings: NetworksSettings,
    private readonly networks: WatchedChains,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
  ) {
    super();
  }

  async estimate(network: string): Promise<TransferFeeEstimates | null> {
    this.networks.readableNetwork(network);
    const coin = this.settings.networks.find((each) => each.network === network)?.assets.find(isNative);
    const rate = await this.pool.asking(
      this.pool.currentReadingEndpoint(network),
      async (endpoint) =>
        (await this.rpc.callOnce(endpoint, FEE_RATE_CALL)) ?? this.rpc.callOnce(endpoint, BTCD_FEE_RATE_CALL),
    );
    if (coin === undefined || rate === null || rate > MAX_FEE_RATE) return null;
    const native = (rate * TYPICAL_PAYMENT_VBYTES + VBYTES_PER_FEE_RATE - 1n) / VBYTES_PER_FEE_RATE;
    return { coin, native, token: native };
  }
}
