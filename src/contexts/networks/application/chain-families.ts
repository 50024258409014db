import type { ChainReader, SecondEndpoint } from '../contract/chain-reader.js';
import type { DepositAddresses } from '../contract/deposit-addresses.js';
import type { PayoutAddresses } from '../contract/payout-addresses.js';
import type { TransactionLookup } from '../contract/transaction-lookup.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import type { ChainInspection } from './chain-inspection.js';
import type { ExamineNetwork } from './examine-network.js';

/** All that a family of chains provides for its networks; docs/decisions/0014-chain-families.md. */
export abstract class ChainFamily {
  /** As `family` of a network's configuration names it. */
  abstract readonly name: string;
  abstract readonly reader: ChainReader;
  abstract readonly secondEndpoint: SecondEndpoint;
  abstract readonly lookup: TransactionLookup;
  abstract readonly depositAddresses: DepositAddresses;
  abstract readonly payoutAddresses: PayoutAddresses;
  abstract readonly inspection: ChainInspection;
  abstract readonly examination: ExamineNetwork;
}

/** The family of each configured network. */
export class ChainFamilies {
  private readonly byNetwork: ReadonlyMap<string, ChainFamily>;

  /** @throws Error where a network names a family that is not among `families` */
  constructor(networks: readonly NetworkConfiguration[], families: readonly ChainFamily[]) {
    this.byNetwork = new Map(
      networks.map(({ network, family }) => {
        const found = families.find(({ name }) => name === family);
        if (found === undefined) throw new Error(`Network ${network}: there is no chain family "${family}".`);
        return [network, found];
      }),
    );
  }

  /** @returns undefined for a network that is not configured */
  of(network: string): ChainFamily | undefined {
    return this.byNetwork.get(network);
  }
}
