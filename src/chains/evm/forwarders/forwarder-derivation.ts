import { Injectable } from '@nestjs/common';
import { keccak_256 } from '@noble/hashes/sha3';
import { concatBytes, hexToBytes } from '@noble/hashes/utils';
import type { DepositTerms, Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { isEvm } from '../evm-network.js';
import { FORMER_FACTORIES, currentFactoryAddress, implementationOf } from './forwarder-artifacts.js';
import {
  ZERO_ADDRESS,
  isAddress,
  addressBytes,
  canonicalCreate2Address,
  create2Address,
} from './evm-address.js';

export class InvalidForwarderTerms extends Error {
  constructor(reason: string) {
    super(`These settlement terms have no deposit address: ${reason}`);
    this.name = 'InvalidForwarderTerms';
  }
}

/** Formula and layout: solidity/README.md and the factory's `addressOf`. */
export class ForwarderDerivation {
  private readonly deployer: Uint8Array;

  /**
   * @param chainId id of the home chain, where anyone may call the settlement
   */
  constructor(
    readonly factory: string,
    readonly chainId: number,
    readonly implementation = implementationOf(factory),
  ) {
    this.deployer = addressBytes(factory);
  }

  initCode(terms: DepositTerms): Uint8Array {
    const args = immutableArguments(terms, this.chainId);
    return concatBytes(
      new Uint8Array([0x61, 0x00, args.length + 0x2d]),
      hexToBytes('3d81600a3d39f3363d3d373d3d3d363d73'),
      addressBytes(this.implementation),
      hexToBytes('5af43d82803e903d91602b57fd5bf3'),
      args,
    );
  }

  initCodeHash(terms: DepositTerms): Uint8Array {
    return keccak_256(this.initCode(terms));
  }

  addressOf(initCodeHash: Uint8Array, requestId: string): string {
    return create2Address(this.deployer, saltOf(requestId), initCodeHash);
  }

  canonicalAddressOf(initCodeHash: Uint8Array, requestId: string): string {
    return canonicalCreate2Address(this.deployer, saltOf(requestId), initCodeHash);
  }
}

@Injectable()
export class ForwarderDerivations {
  private readonly byNetwork: ReadonlyMap<string, ForwarderDerivation>;

  constructor({ networks }: NetworksSettings) {
    this.byNetwork = new Map(
      networks
        .filter(isEvm)
        .map(({ network, factory, chainId, implementation }) => [
          network,
          new ForwarderDerivation(factory, chainId, implementation),
        ]),
    );
  }

  configured(network: string): ForwarderDerivation | undefined {
    return this.byNetwork.get(network);
  }

  /** Accepts only the configured factory and the committed factories of this and earlier releases. */
  withFactory(network: string, { factory, homeChainId }: Derivation): ForwarderDerivation | undefined {
    const present = this.configured(network);
    if (present === undefined || homeChainId !== present.chainId) return undefined;
    if (factory === present.factory) return present;
    const known = this.factoriesOf(network).find((each) => each === factory);
    return known === undefined ? undefined : new ForwarderDerivation(known, present.chainId);
  }

  factoriesOf(network: string): readonly string[] {
    const present = this.configured(network);
    return present === undefined ? [] : [present.factory, currentFactoryAddress(), ...FORMER_FACTORIES];
  }
}

function immutableArguments(terms: DepositTerms, chainId: number): Uint8Array {
  const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
  if (!isAddress(settlementAddress) || settlementAddress.toLowerCase() === ZERO_ADDRESS) {
    throw new InvalidForwarderTerms('the settlement address is not an EVM address.');
  }
  if (!Number.isInteger(feeBasisPoints) || feeBasisPoints < 0 || feeBasisPoints > 10_000) {
    throw new InvalidForwarderTerms('the fee share is not an integer from 0 to 10000 basis points.');
  }
  const chain = bigEndian(chainId);
  if (feeBasisPoints === 0) return concatBytes(addressBytes(settlementAddress), chain);
  if (!isAddress(feeRecipient) || feeRecipient.toLowerCase() === ZERO_ADDRESS) {
    throw new InvalidForwarderTerms('there is a fee share but no fee recipient.');
  }
  const share = new Uint8Array([feeBasisPoints >> 8, feeBasisPoints & 0xff]);
  return concatBytes(addressBytes(settlementAddress), addressBytes(feeRecipient), share, chain);
}

function bigEndian(chainId: number): Uint8Array {
  const hex = chainId.toString(16);
  return hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`);
}

/** Returns the salt of a payment request: the 128 bits of its UUID followed by 128 zero bits. */
export function saltOf(requestId: string): Uint8Array {
  const salt = new Uint8Array(32);
  salt.set(hexToBytes(requestId.replaceAll('-', '')));
  return salt;
}
