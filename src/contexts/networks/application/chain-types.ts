import { type Chain, Chains } from '../contract/chains.js';
import type { FeeCoin } from '../contract/transfer-fees.js';
import type { NetworkCheckFinding } from '../domain/finding.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import type { OutboundChain } from './outbound/outbound-chain.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { ChainIdentity } from '../domain/wrong-chain.js';

/**
 * Everything that a chain type, such as EVM or Bitcoin, provides for its networks: docs/decisions/0014-chain-types.md.
 */
export abstract class ChainType {
  abstract readonly name: string;
  /** Called once per network, so the chain may keep caches. */
  abstract chainOf(network: NetworkConfiguration): Chain;
  abstract readonly inspection: ChainInspection;
  abstract readonly examination: NetworkConfigurationCheck;
  /** Null if the service deploys no contract for deposit addresses. */
  abstract readonly deployment: FactoryDeployment | null;
  /** Null if the service sends no transactions on this chain type. */
  abstract readonly sending: OutboundChain | null;
  /** Null if senders pay no fee worth showing. */
  abstract readonly transferPricing: TransferFeeEstimator | null;
}

/** The fees of one plain transfer at the current gas price, in the smallest unit of the coin. */
export interface TransferFeeEstimates {
  readonly coin: FeeCoin;
  readonly native: bigint;
  readonly token: bigint;
}

export abstract class TransferFeeEstimator {
  /**
   * @returns null if the symbol of the native coin is unknown
   */
  abstract estimate(network: string): Promise<TransferFeeEstimates | null>;
}

/** Read-only. */
export abstract class NetworkConfigurationCheck {
  abstract check(network: NetworkConfiguration): Promise<NetworkCheckFinding[]>;
}

export class ChainTypes extends Chains {
  private readonly byNetwork: ReadonlyMap<string, { readonly chainType: ChainType; readonly chain: Chain }>;

  constructor(
    readonly networks: readonly NetworkConfiguration[],
    chainTypes: readonly ChainType[],
  ) {
    super();
    this.byNetwork = new Map(
      networks.map((configuration) => {
        const { network, family } = configuration;
        const found = chainTypes.find(({ name }) => name === family);
        if (found === undefined) throw new Error(`Network ${network}: there is no chain type "${family}".`);
        return [network, { chainType: found, chain: found.chainOf(configuration) }];
      }),
    );
  }

  outboundNetworks(): readonly NetworkConfiguration[] {
    return this.networks.filter(({ network }) => this.family(network).sending !== null);
  }

  find(network: string): Chain | undefined {
    return this.byNetwork.get(network)?.chain;
  }

  family(network: string): ChainType {
    const family = this.byNetwork.get(network)?.chainType;
    if (family === undefined) throw new Error(`Network ${network} is not configured.`);
    return family;
  }
}

/** Each query is tried once. @throws ChainUnavailable */
export abstract class ChainInspection {
  abstract endpoints(network: string): readonly Endpoint[];
  /** Returns the endpoints that may not be read from until their chain is proven, for the first time or again. */
  abstract unverifiedEndpoints(network: string): readonly Endpoint[];
  abstract identity(endpoint: Endpoint): Promise<ChainIdentity>;
  chainName(chainId: number): string {
    return String(chainId);
  }
  abstract head(endpoint: Endpoint): Promise<{ readonly number: number; readonly time: Date }>;
  /** Returns sentences that explain why addresses or amounts of this network cannot be trusted. */
  abstract configurationMismatches(endpoint: Endpoint): Promise<readonly string[]>;
  abstract admit(endpoint: Endpoint): void;
  abstract exclude(endpoint: Endpoint, reason: string): void;
}

/** Addresses are in the display spelling. */
export interface FactoryDeploymentPlan {
  /** Null, like `implementation`, if the address depends on the transaction that deploys the factory. */
  readonly factory: string | null;
  readonly implementation: string | null;
  /** Without this contract, the factory cannot be deployed to its address. Null if none is needed. */
  readonly deployer: string | null;
  readonly isThere: boolean;
  readonly hasDeployer: boolean;
  readonly nativeDecimals: number;
  /** Absent if the factory is already deployed or cannot be deployed. */
  readonly call?: { readonly to: string; readonly data: string; readonly gasLimit: bigint };
}

export abstract class FactoryDeployment {
  /**
   * Sends nothing.
   * @throws DomainError `state_conflict` if the network is configured with another factory, or other code is at the
   *   address; `unavailable`
   */
  abstract plan(network: NetworkConfiguration, payer: string | null): Promise<FactoryDeploymentPlan>;
  /**
   * @throws DomainError `state_conflict` if the code on the chain differs from the code used to compute addresses;
   *   `unavailable`
   */
  abstract verify(
    network: NetworkConfiguration,
    transaction: { readonly hash: string; readonly sender: string },
  ): Promise<Pick<FactoryDeploymentPlan, 'factory' | 'implementation'>>;
}
