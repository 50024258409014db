import type { ChainReader, SecondEndpoint } from '../contract/chain-reader.js';
import type { DepositAddresses } from '../contract/deposit-addresses.js';
import type { PayoutAddresses } from '../contract/payout-addresses.js';
import type { SettlementPlanning } from '../contract/settlement-planning.js';
import type { TransactionLookup } from '../contract/transaction-lookup.js';
import type { TransferPlanning } from '../contract/transfer-planning.js';
import type { Finding } from '../domain/finding.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import type { ChainInspection } from './chain-inspection.js';
import type { FactoryDeployment } from './factory-deployment.js';
import type { SendingChain } from './sending/sending-chain.js';

/** All that a family of chains provides for its networks; docs/decisions/0014-chain-families.md. */
export abstract class ChainFamily {
  /** A network's configuration names the family so in `family`. */
  abstract readonly name: string;
  abstract readonly reader: ChainReader;
  abstract readonly secondEndpoint: SecondEndpoint;
  abstract readonly lookup: TransactionLookup;
  abstract readonly depositAddresses: DepositAddresses;
  abstract readonly payoutAddresses: PayoutAddresses;
  abstract readonly inspection: ChainInspection;
  abstract readonly examination: NetworkExamination;
  /** Null where deposit addresses need no contract. */
  abstract readonly deployment: FactoryDeployment | null;
  /** Null where what was received needs no paying out. */
  abstract readonly settlementPlanning: SettlementPlanning | null;
  /** Null where the service sends nothing. */
  abstract readonly sending: SendingChain | null;
  /** Null where the service sends nothing. */
  abstract readonly transferPlanning: TransferPlanning | null;
}

/** Finds all that is wrong about a network before money is sent there. Stores nothing and moves nothing. */
export abstract class NetworkExamination {
  abstract execute(network: NetworkConfiguration): Promise<Finding[]>;
}

/** The family of each configured network. */
export class ChainFamilies {
  private readonly byNetwork: ReadonlyMap<string, ChainFamily>;

  /** @throws Error where a network names a family that is not among `families` */
  constructor(
    readonly networks: readonly NetworkConfiguration[],
    families: readonly ChainFamily[],
  ) {
    this.byNetwork = new Map(
      networks.map(({ network, family }) => {
        const found = families.find(({ name }) => name === family);
        if (found === undefined) throw new Error(`Network ${network}: there is no chain family "${family}".`);
        return [network, found];
      }),
    );
  }

  /** Networks on which the service can send. */
  sendingOn(): readonly NetworkConfiguration[] {
    return this.networks.filter(({ network }) => this.of(network).sending !== null);
  }

  /** @returns undefined for a network that is not configured */
  find(network: string): ChainFamily | undefined {
    return this.byNetwork.get(network);
  }

  /** @throws Error for a network that is not configured */
  of(network: string): ChainFamily {
    const family = this.find(network);
    if (family === undefined) throw new Error(`Network ${network} is not configured.`);
    return family;
  }
}
