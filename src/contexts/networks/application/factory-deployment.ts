import type { ChainEndpoint } from './chain-inspection.js';

/** What bringing the factory to a chain means, or meant. Addresses in EIP-55; native coin in its smallest unit. */
export interface DeploymentPlan {
  readonly factory: string;
  readonly implementation: string;
  readonly isThere: boolean;
  /** Without the deterministic deployer the factory cannot come to its address. */
  readonly hasDeployer: boolean;
  /** Absent where it is there already, or cannot be brought there. */
  readonly estimate?: { readonly gas: bigint; readonly gasPrice: bigint; readonly cost: bigint };
  /** Who pays; absent without a key. */
  readonly sender?: { readonly address: string; readonly balance: bigint };
}

/** Brings the committed forwarder factory to a chain, by one endpoint. A key is 32 bytes in hex with `0x`. */
export abstract class FactoryDeployment {
  /** Sends nothing. @throws ChainUnavailable */
  abstract plan(endpoint: ChainEndpoint, key: string | null): Promise<DeploymentPlan>;
  /**
   * Sends one transaction that the key's account pays for, and waits until it is in a block. The account gets no rights.
   * @returns its hash, or null where somebody else was faster @throws Error in the node's words where it fails
   */
  abstract send(endpoint: ChainEndpoint, key: string): Promise<string | null>;
}
