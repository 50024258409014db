import type { AuthorizedTransfers } from '../contract/authorized-transfers.js';
import type { ChainReader, SecondEndpoint } from '../contract/chain-reader.js';
import type { DepositAddresses } from '../contract/deposit-addresses.js';
import type { MerchantWallets, PayoutAddresses } from '../contract/payout-addresses.js';
import type { PendingTransfers } from '../contract/pending-transfers.js';
import type { SettlementPlanning } from '../contract/settlement-planning.js';
import type { TransactionLookup } from '../contract/transaction-lookup.js';
import type { FeeCoin } from '../contract/transfer-fees.js';
import type { TransferPlanning } from '../contract/transfer-planning.js';
import type { Finding } from '../domain/finding.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import type { OutboundChain } from './outbound/outbound-chain.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { ChainIdentity } from '../domain/foreign-chain.js';

/** All that a chain type provides for its networks; docs/decisions/0014-chain-types.md. */
export abstract class ChainType {
  /** A network's configuration names the chain type so in `family`. */
  abstract readonly name: string;
  abstract readonly reader: ChainReader;
  abstract readonly secondEndpoint: SecondEndpoint;
  abstract readonly lookup: TransactionLookup;
  /** Null where a transfer is seen first in its block. */
  abstract readonly pending: PendingTransfers | null;
  abstract readonly depositAddresses: DepositAddresses;
  abstract readonly payoutAddresses: PayoutAddresses;
  /** Null where terms name addresses. */
  readonly wallets: MerchantWallets | null = null;
  abstract readonly inspection: ChainInspection;
  abstract readonly examination: NetworkExamination;
  /** Null where deposit addresses need no contract. */
  abstract readonly deployment: FactoryDeployment | null;
  /** Null where what was received needs no paying out. */
  abstract readonly settlementPlanning: SettlementPlanning | null;
  /** Null where the service sends nothing. */
  abstract readonly sending: OutboundChain | null;
  /** Null where the service sends nothing. */
  abstract readonly transferPlanning: TransferPlanning | null;
  /** Null where no asset of the chain type takes payments by signature. */
  abstract readonly authorizedTransfers: AuthorizedTransfers | null;
  /** Null where senders pay no fee worth a hint. */
  abstract readonly transferPricing: TransferPricing | null;
}

/** The fees of one plain transfer at the present price of gas, in the smallest unit of the coin. */
export interface TransferPrices {
  readonly coin: FeeCoin;
  /** A transfer of the coin itself. */
  readonly native: bigint;
  readonly token: bigint;
}

/** Asks a node what payers' transfers cost, roughly. */
export abstract class TransferPricing {
  /** @returns null where nobody knows what the native coin is called @throws ChainUnavailable */
  abstract now(network: string): Promise<TransferPrices | null>;
}

/** Finds all that is wrong about a network before money is sent there. Stores nothing and moves nothing. */
export abstract class NetworkExamination {
  abstract examine(network: NetworkConfiguration): Promise<Finding[]>;
}

/** The chain type of each configured network. */
export class ChainTypes {
  private readonly byNetwork: ReadonlyMap<string, ChainType>;

  /** @throws Error where a network names a chain type that is not among `chainTypes` */
  constructor(
    readonly networks: readonly NetworkConfiguration[],
    chainTypes: readonly ChainType[],
  ) {
    this.byNetwork = new Map(
      networks.map(({ network, family }) => {
        const found = chainTypes.find(({ name }) => name === family);
        if (found === undefined) throw new Error(`Network ${network}: there is no chain type "${family}".`);
        return [network, found];
      }),
    );
  }

  /** Networks on which the service can send. */
  sendingOn(): readonly NetworkConfiguration[] {
    return this.networks.filter(({ network }) => this.family(network).sending !== null);
  }

  /** @returns undefined for a network that is not configured */
  find(network: string): ChainType | undefined {
    return this.byNetwork.get(network);
  }

  /** @throws Error for a network that is not configured */
  family(network: string): ChainType {
    const family = this.find(network);
    if (family === undefined) throw new Error(`Network ${network} is not configured.`);
    return family;
  }
}

/** Asks a network's endpoints what the check needs to know. One try each. @throws ChainUnavailable */
export abstract class ChainInspection {
  /** In the order of the configuration. */
  abstract endpoints(network: string): readonly Endpoint[];
  /** Endpoints of which nothing is read until their chain is proven, or proven again. */
  abstract unproven(network: string): readonly Endpoint[];
  abstract identity(endpoint: Endpoint): Promise<ChainIdentity>;
  /** A chain id as people know it. */
  chainName(chainId: number): string {
    return String(chainId);
  }
  abstract head(endpoint: Endpoint): Promise<{ readonly number: number; readonly time: Date }>;
  /** In sentences, why addresses or amounts of this network cannot be trusted; empty where all agrees. */
  abstract problems(endpoint: Endpoint): Promise<readonly string[]>;
  /** The endpoint serves the network's chain: it may be read from now. */
  abstract admit(endpoint: Endpoint): void;
  /** The endpoint serves another chain: nothing is read from it any more. */
  abstract banish(endpoint: Endpoint, reason: string): void;
}

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

/** The contract that deposit addresses of a chain type need, and whether it is the right one. */
export abstract class FactoryDeployment {
  /**
   * Sends nothing. @param payer of the gas, where it is known
   * @throws state_conflict where the network is configured with another factory, or what stands there is wrong; unavailable
   */
  abstract plan(network: NetworkConfiguration, payer: string | null): Promise<DeploymentPlan>;
  /** @throws state_conflict where what stands on the chain is not what addresses are computed by; unavailable */
  abstract verify(network: NetworkConfiguration): Promise<void>;
}
