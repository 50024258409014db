import { readFileSync } from 'node:fs';
import { keccak_256 } from '@noble/hashes/sha3';
import { hexToBytes } from '@noble/hashes/utils';
import { EVM_CREATE2_PREFIX, addressBytes, create2Address, firstCreatedAddress } from './evm-address.js';

/** The relative path is the same from the source file and from the built file. */
const ARTIFACTS_DIRECTORY = new URL('../../../solidity/artifacts/', import.meta.url);

export interface ContractArtifact {
  readonly abi: readonly object[];
  readonly bytecode: `0x${string}`;
  readonly deployedBytecode: `0x${string}`;
}

/** A keyless deployer with the same address on every network (Arachnid's deterministic-deployment-proxy). */
export const DETERMINISTIC_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** Always zero: the factory has no owner, so it needs only one deployment per network. */
export const FACTORY_SALT = new Uint8Array(32);

/** TRON has a forwarder of its own, because USDT returns false from its transfers there (solidity/README.md). */
export type ForwarderContract = 'Forwarder' | 'TronForwarder';

/** `TransferProbe` is never deployed. */
export function contractArtifact(
  name: ForwarderContract | `${ForwarderContract}Factory` | 'TestToken' | 'TransferProbe',
): ContractArtifact {
  return JSON.parse(readFileSync(new URL(`${name}.json`, ARTIFACTS_DIRECTORY), 'utf8')) as ContractArtifact;
}

/** A former factory, whose `settle` takes a single gas limit. */
export const GAS_PER_ITEM_FACTORY = '0x413776C3cAd2f1BD80745EcAa988D1694B93eAA8';

/** Factories of earlier releases, whose deposit addresses must remain derivable. In EIP-55. */
export const FORMER_FACTORIES: readonly string[] = [
  GAS_PER_ITEM_FACTORY,
  '0x79398E3B7e4DC4E644179c65883663bE72c7F9C9',
];

/** The constructor's argument is the prefix that CREATE2 hashes (EIP-1014), padded to a word. */
export function factoryCreationCode(): `0x${string}` {
  return `${contractArtifact('ForwarderFactory').bytecode}${'ff'.padEnd(64, '0')}`;
}

let cachedFactory: string | undefined;

export function currentFactoryAddress(): string {
  cachedFactory ??= create2Address(
    addressBytes(DETERMINISTIC_DEPLOYER),
    FACTORY_SALT,
    keccak_256(hexToBytes(factoryCreationCode().slice(2))),
  );
  return cachedFactory;
}

const codeHashes = new Map<ForwarderContract, Uint8Array>();

/** Former factories created their implementation by `CREATE`, the current one creates it by `CREATE2`. */
export function implementationOf(
  factory: string,
  prefix = EVM_CREATE2_PREFIX,
  contract: ForwarderContract = 'Forwarder',
): string {
  if (FORMER_FACTORIES.includes(factory)) return firstCreatedAddress(factory);
  let codeHash = codeHashes.get(contract);
  if (codeHash === undefined) {
    codeHash = keccak_256(hexToBytes(contractArtifact(contract).bytecode.slice(2)));
    codeHashes.set(contract, codeHash);
  }
  return create2Address(addressBytes(factory), FACTORY_SALT, codeHash, prefix);
}
