import { readFileSync } from 'node:fs';
import { keccak_256 } from '@noble/hashes/sha3';
import { hexToBytes } from '@noble/hashes/utils';
import { isNative } from '#shared/kernel/asset.js';
import { addressBytes, create2Address } from './evm-address.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { OutboundPurpose } from '#contexts/networks/domain/outbound/outbound-transaction.js';
import type { EvmNetworkConfiguration } from '../evm-network.js';

/** The relative path is the same from the source file and from the built file. */
const ARTIFACTS_DIRECTORY = new URL('../../../../solidity/artifacts/', import.meta.url);

export interface ContractArtifact {
  readonly abi: readonly object[];
  readonly bytecode: `0x${string}`;
  readonly deployedBytecode: `0x${string}`;
}

/** A keyless deployer with the same address on every network (Arachnid's deterministic-deployment-proxy). */
export const DETERMINISTIC_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** Always zero: the factory has no constructor arguments and no owner, so it needs only one deployment per network. */
export const FACTORY_SALT = new Uint8Array(32);

/** `TransferProbe` is never deployed. */
export function contractArtifact(name: 'ForwarderFactory' | 'TestToken' | 'TransferProbe'): ContractArtifact {
  return JSON.parse(readFileSync(new URL(`${name}.json`, ARTIFACTS_DIRECTORY), 'utf8')) as ContractArtifact;
}

/** Factories of earlier releases, whose deposit addresses must remain derivable. In EIP-55. */
export const FORMER_FACTORIES: readonly string[] = ['0x413776C3cAd2f1BD80745EcAa988D1694B93eAA8'];

let cachedFactory: string | undefined;

export function currentFactoryAddress(): string {
  cachedFactory ??= create2Address(
    addressBytes(DETERMINISTIC_DEPLOYER),
    FACTORY_SALT,
    keccak_256(hexToBytes(contractArtifact('ForwarderFactory').bytecode.slice(2))),
  );
  return cachedFactory;
}

/**
 * Contracts, in lower case, that a key without the right to move value may call: factories pay only under fixed
 * terms, and tokens transfer only what their holders signed.
 */
export function contractsForGasKey(
  { factory, assets }: Pick<EvmNetworkConfiguration, 'factory' | 'assets'>,
  purpose: OutboundPurpose,
): readonly string[] {
  switch (purpose) {
    case 'factory_deployment':
      return [canonicalAddress(DETERMINISTIC_DEPLOYER)];
    case 'settlement':
      return [factory, currentFactoryAddress(), ...FORMER_FACTORIES].map(canonicalAddress);
    case 'authorized_transfer':
      return assets.filter((asset) => !isNative(asset)).map(({ token }) => token);
    case 'refund':
    case 'float_withdrawal':
      return [];
  }
}
