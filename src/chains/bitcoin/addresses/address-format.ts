import { sha256 } from '@noble/hashes/sha2';
import { createBase58check } from '@scure/base';

/** Encoding of addresses and extended public keys on a Bitcoin network (BIP-173, BIP-32, chainparams.cpp of Bitcoin Core). */
export interface AddressFormat {
  readonly name: string;
  readonly prefix: string;
  readonly keyHash: number;
  readonly scriptHash: number;
  readonly keyPrefix: string;
  readonly keyVersion: number;
  readonly beginnings: string;
}

const TEST_NETWORK_KEY_VERSIONS = {
  keyHash: 0x6f,
  scriptHash: 0xc4,
  keyPrefix: 'tpub',
  keyVersion: 0x043587cf,
};

export const ADDRESS_FORMATS = {
  mainnet: {
    name: 'mainnet',
    prefix: 'bc',
    keyHash: 0x00,
    scriptHash: 0x05,
    keyPrefix: 'xpub',
    keyVersion: 0x0488b21e,
    beginnings: 'bc1, 1 or 3',
  },
  /** All public test networks use the same encoding: testnet3, testnet4 and signet. */
  testnet: {
    name: 'testnet or signet',
    prefix: 'tb',
    ...TEST_NETWORK_KEY_VERSIONS,
    beginnings: 'tb1, m, n or 2',
  },
  /** Addresses and keys in base58 are indistinguishable from those of a test network. */
  regtest: { name: 'regtest', prefix: 'bcrt', ...TEST_NETWORK_KEY_VERSIONS, beginnings: 'bcrt1, m, n or 2' },
} as const satisfies Record<string, AddressFormat>;

const base58check = createBase58check(sha256);

export function decodeBase58(text: string): Uint8Array | null {
  try {
    return base58check.decode(text);
  } catch {
    return null;
  }
}

export function encodeBase58(bytes: Uint8Array): string {
  return base58check.encode(bytes);
}
