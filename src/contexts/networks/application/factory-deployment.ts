import type { NetworkConfiguration } from '../domain/network-configuration.js';

/** How the factory is brought to a chain. Addresses in EIP-55. */
export interface DeploymentPlan {
  readonly factory: string;
  readonly implementation: string;
  /** Without the contract at this address the factory cannot come to its own. */
  readonly deployer: string;
  readonly isThere: boolean;
  readonly hasDeployer: boolean;
  /** Fraction digits of the native coin. */
  readonly nativeDecimals: number;
  /** The call that deploys it, with room in its gas; absent where it is there already, or cannot be deployed. */
  readonly call?: { readonly to: string; readonly data: string; readonly gasLimit: bigint };
}

/** The contract that deposit addresses of a family need, and whether it is the right one. */
export abstract class FactoryDeployment {
  /**
   * Sends nothing. @param payer of the gas, where it is known
   * @throws state_conflict where the network is configured with another factory, or what stands there is wrong; unavailable
   */
  abstract plan(network: NetworkConfiguration, payer: string | null): Promise<DeploymentPlan>;
  /** @throws state_conflict where what stands on the chain is not what addresses are computed by; unavailable */
  abstract verify(network: NetworkConfiguration): Promise<void>;
}
