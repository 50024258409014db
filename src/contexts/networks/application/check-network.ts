import { Injectable } from '@nestjs/common';
import { ChainUnavailable } from '../contract/chain-reader.js';
import { disagreements } from '../domain/chain-facts.js';
import { ForeignChain } from '../domain/foreign-chain.js';
import type { ForwarderDerivation } from '../domain/forwarder.js';
import type { NetworkConfiguration } from '../domain/network-configuration.js';
import { NetworkGate, type NetworkStanding } from '../domain/network-gate.js';
import { ChainInspection } from './chain-inspection.js';
import { KnownChains } from './known-chains.js';

export interface NetworkToCheck {
  readonly configuration: NetworkConfiguration;
  readonly derivation: ForwarderDerivation;
}

/** Compares one network with its chain and opens or shuts its gate accordingly. */
@Injectable()
export class CheckNetwork {
  constructor(
    private readonly chain: ChainInspection,
    private readonly known: KnownChains,
    private readonly gate: NetworkGate,
  ) {}

  /** @returns the new standing @throws ForeignChain, with the gate shut */
  async execute({ configuration, derivation }: NetworkToCheck): Promise<NetworkStanding> {
    const { network } = configuration;
    try {
      await this.proveIdentity(configuration);
      const facts = await this.chain.contracts(network);
      const problems = disagreements(derivation, configuration.assets, facts);
      this.gate.set(network, problems.length === 0 ? { kind: 'ready' } : { kind: 'disagrees', problems });
    } catch (error) {
      if (error instanceof ForeignChain) this.gate.set(network, { kind: 'foreign', reason: error.message });
      if (!(error instanceof ChainUnavailable)) throw error;
      this.gate.set(network, { kind: 'unchecked', reason: error.message });
    }
    return this.gate.standing(network);
  }

  private async proveIdentity({ network, chainId }: NetworkConfiguration): Promise<void> {
    const found = await this.chain.identity(network);
    if (found.chainId !== chainId) throw ForeignChain.otherThanConfigured(network, chainId, found);
    const stored = await this.known.remember(network, found);
    if (stored.network !== network) throw ForeignChain.underAnotherName(network, stored.network, found);
    if (stored.chainId !== found.chainId || stored.genesisHash !== found.genesisHash) {
      throw ForeignChain.otherThanStored(network, stored, found);
    }
  }
}
