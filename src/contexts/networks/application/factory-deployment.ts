import type { NetworkConfiguration } from '../domain/network-configuration.js';

export interface FactoryOrder {
  network: NetworkConfiguration;
  /** Of the account that pays the gas, 32 bytes in hex with `0x`; null where nothing is to be sent. */
  key: string | null;
  send: boolean;
}

/** What bringing the factory to a chain takes. Addresses in EIP-55; native coin in its smallest unit. */
export interface DeploymentPlan {
  readonly factory: string;
  readonly implementation: string;
  /** Without the contract at this address the factory cannot come to its own. */
  readonly deployer: string;
  readonly isThere: boolean;
  readonly hasDeployer: boolean;
  /** Fraction digits of the native coin. */
  readonly nativeDecimals: number;
  /** Absent where the factory is there already, or cannot be brought there. */
  readonly limits?: FeeLimits;
  /** The account that pays; absent without a key. */
  readonly sender?: { readonly address: string; readonly balance: bigint };
}

/** The most that the transaction may take, with room for prices to rise a little until it is sent. In wei. */
export interface FeeLimits {
  readonly gas: bigint;
  readonly gasPrice: bigint;
  readonly cost: bigint;
}

export interface FactoryOutcome extends DeploymentPlan {
  readonly outcome: 'already_there' | 'planned' | 'deployer_missing' | 'deployed';
  readonly transactionHash: string | null;
}

/** Shows what bringing the committed factory to a network of its family takes, and sends it where the order says so. */
export abstract class FactoryDeployment {
  /** @throws validation_failed, state_conflict, unavailable; Error where the transaction fails */
  abstract execute(order: FactoryOrder): Promise<FactoryOutcome>;
}
