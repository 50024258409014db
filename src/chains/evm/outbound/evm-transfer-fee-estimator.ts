import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import {
  type TransferFeeEstimates,
  TransferFeeEstimator,
} from '#contexts/networks/application/chain-types.js';
import type { FeeCoin } from '#contexts/networks/contract/transfer-fees.js';
import { EVM_CONFIGURATION_SCHEMA } from '../evm-configuration.js';
import { type EvmNetworkConfiguration, NATIVE_DECIMALS } from '../evm-network.js';
import { VerifiedEndpoints } from '../check/verified-endpoints.js';
import { EndpointAccountQueries } from './endpoint-account-queries.js';

const NATIVE_GAS = 21_000n;
/** Gas of a typical ERC-20 transfer to a new holder, rounded up. */
const TOKEN_GAS = 65_000n;

/** Ignores prices above the configured maximum, because an endpoint can return any number. */
@Injectable()
export class EvmTransferFeeEstimator extends TransferFeeEstimator {
  constructor(
    private readonly endpoints: VerifiedEndpoints,
    private readonly accounts: EndpointAccountQueries,
  ) {
    super();
  }

  async estimate(network: string): Promise<TransferFeeEstimates | null> {
    const configuration = this.endpoints.configuration(network);
    const coin = feeCoinOf(configuration);
    if (coin === undefined) return null;
    const market = await this.endpoints.first(network, (endpoint) => this.accounts.gasFeeMarket(endpoint));
    const gasPrice = (market.baseFee ?? 0n) + market.suggested;
    if (gasPrice > configuration.fees.ceiling) return null;
    return { coin, native: gasPrice * NATIVE_GAS, token: gasPrice * TOKEN_GAS };
  }
}

function feeCoinOf({ assets, chainId }: EvmNetworkConfiguration): FeeCoin | undefined {
  const symbol = EVM_CONFIGURATION_SCHEMA.nativeSymbols[chainId];
  return assets.find(isNative) ?? (symbol === undefined ? undefined : { symbol, decimals: NATIVE_DECIMALS });
}
