import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import type { FeeLimits } from '#contexts/networks/domain/outbound/fees.js';

export const EVM = 'evm';

/** Every native coin has these: its smallest unit, wei, is what a transaction's value counts. */
export const NATIVE_DECIMALS = 18;

/** A network whose chain runs the Ethereum Virtual Machine. */
export interface EvmNetworkConfiguration extends NetworkConfiguration {
  readonly family: typeof EVM;
  /** EIP-55. */
  readonly factory: string;
  /** Limits of what the service's own transactions may offer for one unit of gas, in wei. */
  readonly fees: FeeLimits;
  /** The highest gas limit of a transfer out of a refund float, and of one that a payer signed. */
  readonly transferGas: bigint;
  /** Factories of contract accounts that signatures may be wrapped for (ERC-6492), in lower case. */
  readonly signatureFactories: readonly string[];
}

export function isEvm(network: NetworkConfiguration): network is EvmNetworkConfiguration {
  return network.family === EVM;
}
