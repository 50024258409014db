import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils';

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** Does not check the EIP-55 checksum. */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

export function addressBytes(address: string): Uint8Array {
  return hexToBytes(address.slice(2));
}

/** Returns the address of the first contract that the contract `deployer` creates by `CREATE`, with nonce 1 (EIP-161). */
export function firstCreatedAddress(deployer: string): string {
  const list = new Uint8Array([0xd6, 0x94, ...addressBytes(deployer), 0x01]);
  return toDisplayAddress(`0x${bytesToHex(keccak_256(list).subarray(12))}`);
}

export const EVM_CREATE2_PREFIX = 0xff;

/**
 * Returns the address of a contract created by `CREATE2` (EIP-1014).
 * @param salt 32 bytes
 * @param prefix first byte of the hashed bytes, which depends on the virtual machine
 * @returns EIP-55
 */
export function create2Address(
  deployer: Uint8Array,
  salt: Uint8Array,
  initCodeHash: Uint8Array,
  prefix = EVM_CREATE2_PREFIX,
): string {
  return toDisplayAddress(canonicalCreate2Address(deployer, salt, initCodeHash, prefix));
}

/** Same as `create2Address`, in lower case. */
export function canonicalCreate2Address(
  deployer: Uint8Array,
  salt: Uint8Array,
  initCodeHash: Uint8Array,
  prefix = EVM_CREATE2_PREFIX,
): string {
  const preimage = new Uint8Array(85);
  preimage[0] = prefix;
  preimage.set(deployer, 1);
  preimage.set(salt, 21);
  preimage.set(initCodeHash, 53);
  return `0x${bytesToHex(keccak_256(preimage).subarray(12))}`;
}
