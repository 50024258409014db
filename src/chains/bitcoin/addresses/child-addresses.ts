import { ripemd160 } from '@noble/hashes/legacy';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { type BitcoinAddress, addressOfScript } from './address-script.js';
import type { ReceiveDescriptor } from './read-descriptor.js';

/** Descriptors with the same address at index 0 are the same wallet branch, so they must share one index counter. */
export function childAddress(descriptor: ReceiveDescriptor, index: number): BitcoinAddress {
  const address = addressOfScript(descriptor.format, childScript(descriptor, index));
  if (address === null) throw new Error('A script of a descriptor has an address.');
  return address;
}

function childScript({ script, branch }: ReceiveDescriptor, index: number): string {
  const child = branch.child(index);
  if (script === 'tr') return `5120${bytesToHex(child.taprootOutputKey())}`;
  const witness = `0014${hash160(child.publicKey)}`;
  return script === 'wpkh' ? witness : `a914${hash160(hexToBytes(witness))}87`;
}

function hash160(bytes: Uint8Array): string {
  return bytesToHex(ripemd160(sha256(bytes)));
}
