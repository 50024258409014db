import type { Endpoint } from '../domain/endpoint.js';

/** What bringing the factory to a chain means, or meant. Addresses in EIP-55; native coin in its smallest unit. */
export interface DeploymentPlan {
  readonly factory: string;
  readonly implementation: string;
  readonly isThere: boolean;
  /** Without the deterministic deployer the factory cannot come to its address. */
  readonly hasDeployer: boolean;
  /** Absent where it is there already, or cannot be brought there. */
  readonly limits?: FeeLimits;
  /** Who pays; absent without a key. */
  readonly sender?: { readonly address: string; readonly balance: bigint };
}

/** The most that the transaction may take, with room for prices to rise a little until it is sent. In wei. */
export interface FeeLimits {
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly cost: bigint;
}

/** Brings the committed forwarder factory to a chain, by one endpoint. A key is 32 bytes in hex with `0x`. */
export abstract class FactoryDeployment {
  /** Sends nothing. @throws ChainUnavailable */
  abstract plan(endpoint: Endpoint, key: string | null): Promise<DeploymentPlan>;
  /**
   * Signs one transaction for this chain and within these limits, whatever the endpoint says by now, sends it, and waits
   * until it is in a block. The key's account pays for it and gets no rights.
   * @returns its hash
   * @throws Error in the node's words where nothing was sent; with the hash where it was sent and nobody shows it in a
   *   block: sent again before it is, it has the same nonce, so that only one of the two can ever be paid for
   */
  abstract send(endpoint: Endpoint, key: string, chainId: number, limits: FeeLimits): Promise<string>;
}
