import { privateKeyToAccount } from 'viem/accounts';
import type { Random } from '../random.js';
import { hex } from './calls.js';

type Hex = `0x${string}`;

/** A session, or an answer 402, asks for this. */
export interface AskedTransfer {
  readonly to: string;
  readonly value: string;
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly contract: string;
  };
}

export interface SignedTransfer {
  readonly authorization: {
    readonly from: string;
    readonly to: string;
    readonly value: string;
    readonly validAfter: string;
    readonly validBefore: string;
    readonly nonce: Hex;
  };
  readonly signature: Hex;
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** A payer signs a transfer for others to send (EIP-3009), under a drawn nonce. @param validBefore Unix seconds */
export async function signTransfer(
  key: Hex,
  { to, value, domain }: AskedTransfer,
  validBefore: number,
  random: Random,
): Promise<SignedTransfer> {
  const account = privateKeyToAccount(key);
  const nonce: Hex = `0x${hex(random, 32)}`;
  const times = { validAfter: '0', validBefore: String(validBefore) };
  const { name, version, chainId, contract } = domain;
  const signature = await account.signTypedData({
    domain: { name, version, chainId, verifyingContract: contract as Hex },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...{ from: account.address, to: to as Hex, value: BigInt(value), nonce },
      ...{ validAfter: 0n, validBefore: BigInt(validBefore) },
    },
  });
  return { authorization: { from: account.address, to, value, ...times, nonce }, signature };
}
