import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../../../shared/kernel/domain-error.js';
import {
  type DepositAddress,
  DepositAddresses,
  type ForwarderTerms,
} from '../../../contract/deposit-addresses.js';
import { NetworkGate } from '../../../domain/network-gate.js';
import { ForwarderDerivations } from './forwarder-derivations.js';

/** Many requests share few terms; a bound keeps a long life of changing terms from growing the memory. */
const MOST_REMEMBERED = 1_000;

@Injectable()
export class ForwarderAddresses extends DepositAddresses {
  private readonly initCodeHashes = new Map<string, Uint8Array>();

  constructor(
    private readonly derivations: ForwarderDerivations,
    private readonly gate: NetworkGate,
  ) {
    super();
  }

  derive(network: string, terms: ForwarderTerms, salt: string): DepositAddress {
    const derivation = this.derivations.of(network);
    if (derivation === undefined || !this.gate.takesRequests(network)) {
      throw new DomainError(
        'unavailable',
        'unavailable',
        `Network ${network} takes no new requests at the moment. Try again later or use another network.`,
      );
    }
    const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
    const key = `${network} ${settlementAddress} ${feeRecipient} ${feeBasisPoints}`;
    let hash = this.initCodeHashes.get(key);
    if (hash === undefined) {
      hash = derivation.initCodeHash(terms);
      if (this.initCodeHashes.size >= MOST_REMEMBERED) this.initCodeHashes.clear();
      this.initCodeHashes.set(key, hash);
    }
    return {
      address: derivation.addressOf(hash, salt),
      factory: derivation.factory,
      implementation: derivation.implementation,
    };
  }
}
