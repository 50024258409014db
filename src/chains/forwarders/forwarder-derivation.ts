import { keccak_256 } from '@noble/hashes/sha3';
import { concatBytes, hexToBytes } from '@noble/hashes/utils';
import type { DepositTerms } from '#contexts/networks/contract/deposit-addresses.js';
import { implementationOf } from './forwarder-artifacts.js';
import {
  EVM_CREATE2_PREFIX,
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
    private readonly prefix = EVM_CREATE2_PREFIX,
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
    return create2Address(this.deployer, saltOf(requestId), initCodeHash, this.prefix);
  }

  canonicalAddressOf(initCodeHash: Uint8Array, requestId: string): string {
    return canonicalCreate2Address(this.deployer, saltOf(requestId), initCodeHash, this.prefix);
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
