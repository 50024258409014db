import type { DepositTerms, Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import { implementationOf } from '../../forwarders/forwarder-artifacts.js';
import { ForwarderDerivation } from '../../forwarders/forwarder-derivation.js';
import type { TronNetworkConfiguration } from '../tron-network.js';
import { evmSpelling, tronAddress } from './tron-address.js';

/** Derives the forwarders of one network. Addresses are in Base58Check. */
export class TronForwarders {
  readonly factory: string;
  readonly implementation: string;
  /** With addresses in EIP-55, as the contracts have them. */
  readonly inHex: ForwarderDerivation;

  constructor({
    factory,
    create2Prefix,
    chainId,
  }: Pick<TronNetworkConfiguration, 'factory' | 'create2Prefix' | 'chainId'>) {
    this.factory = factory;
    const factoryInHex = evmSpelling(factory);
    const implementation = implementationOf(factoryInHex, create2Prefix, 'TronForwarder');
    this.implementation = tronAddress(implementation);
    this.inHex = new ForwarderDerivation(factoryInHex, chainId, implementation, create2Prefix);
  }

  get derivation(): Derivation {
    return { factory: this.factory, implementation: this.implementation, homeChainId: this.inHex.chainId };
  }

  isOf({ factory, homeChainId }: Derivation): boolean {
    return factory === this.factory && homeChainId === this.inHex.chainId;
  }

  addressOf({ settlementAddress, feeRecipient, feeBasisPoints }: DepositTerms, requestId: string): string {
    const terms = {
      settlementAddress: evmSpelling(settlementAddress),
      feeRecipient: evmSpelling(feeRecipient),
      feeBasisPoints,
    };
    return tronAddress(this.inHex.canonicalAddressOf(this.inHex.initCodeHash(terms), requestId));
  }
}
