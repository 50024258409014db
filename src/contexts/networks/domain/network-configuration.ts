import type { Asset } from '../../../shared/kernel/asset.js';
import type { Network } from '../contract/network-catalogue.js';

/** One network as the operator configures it, as far as every family of chains has it. */
export interface NetworkConfiguration extends Network {
  /** Endpoints over HTTP, one to eight, no two the same. URLs may carry access keys and are never shown. */
  readonly rpcUrls: readonly string[];
  /** At least one. */
  readonly assets: readonly Asset[];
}

export const EVM = 'evm';

/** A network whose chain runs the Ethereum Virtual Machine. */
export interface EvmNetworkConfiguration extends NetworkConfiguration {
  readonly family: typeof EVM;
  /** EIP-155 */
  readonly chainId: number;
  /** EIP-55; absent: the factory of the committed deployment. */
  readonly factory?: string;
}

export function isEvm(network: NetworkConfiguration): network is EvmNetworkConfiguration {
  return network.family === EVM;
}
