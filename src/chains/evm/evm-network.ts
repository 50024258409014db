import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import type { GasFeeLimits } from '#contexts/networks/domain/outbound/gas-fees.js';
import { NEWEST_HEADER_CALL } from '../ethereum-rpc/block-answers.js';
import type { ChainTypeEndpointSettings } from '../rpc/endpoint-pool.js';

export const EVM = 'evm';

export const EVM_ENDPOINT_SETTINGS: ChainTypeEndpointSettings = { family: EVM, newest: NEWEST_HEADER_CALL };

export const NATIVE_DECIMALS = 18;

export interface EvmNetworkConfiguration extends NetworkConfiguration {
  readonly family: typeof EVM;
  readonly factory: string;
  readonly implementation: string;
  /** Limits on the gas prices that the service offers in its own transactions, in wei per unit of gas. */
  readonly fees: GasFeeLimits;
  readonly transferGas: bigint;
  /** Factories of contract accounts whose wrapped signatures are accepted (ERC-6492), in lower case. */
  readonly signatureFactories: readonly string[];
}

export function isEvm(network: NetworkConfiguration): network is EvmNetworkConfiguration {
  return network.family === EVM;
}
