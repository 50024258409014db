import { Injectable } from '@nestjs/common';
import {
  type TransferFeeEstimates,
  TransferFeeEstimator,
} from '#contexts/networks/application/chain-types.js';
import { readAmount } from '../ethereum-rpc/hex-fields.js';
import { EndpointPool } from '../rpc/endpoint-pool.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { WatchedTronNetworks } from './reading/watched-tron.js';
import { TRX } from './tron-network.js';

/** USDT to an address that never held any, as each deposit address at first. */
const TRANSFER_ENERGY = 131_000n;
/** Bandwidth of the transaction in sun: 345 bytes. */
const TRANSFER_BANDWIDTH_FEE = 345_000n;

/** Estimates for a payer without staked TRX, from a single endpoint, because the result is only a hint. */
@Injectable()
export class TronTransferFeeEstimator extends TransferFeeEstimator {
  constructor(
    private readonly networks: WatchedTronNetworks,
    private readonly pool: EndpointPool,
    private readonly rpc: JsonRpc,
  ) {
    super();
  }

  async estimate(network: string): Promise<TransferFeeEstimates> {
    this.networks.watchedAssets(network);
    const energyPrice = await this.pool.asking(this.pool.currentReadingEndpoint(network), (endpoint) =>
      this.rpc.callOnce(endpoint, {
        method: 'eth_gasPrice',
        params: [],
        read: (answer) => readAmount(answer, 'the price of energy'),
      }),
    );
    const native = TRANSFER_BANDWIDTH_FEE;
    return { coin: TRX, native, token: energyPrice * TRANSFER_ENERGY + TRANSFER_BANDWIDTH_FEE };
  }
}
