import { Injectable } from '@nestjs/common';
import { GasPrices } from '../../contract/gas-prices.js';
import { expectedPrice } from '../../domain/sending/fees.js';
import { SendingChain } from './sending-chain.js';

@Injectable()
export class AskGasPrice extends GasPrices {
  constructor(private readonly chain: SendingChain) {
    super();
  }

  async now(network: string): Promise<bigint> {
    return expectedPrice(await this.chain.market(network), this.chain.feeLimits(network));
  }
}
