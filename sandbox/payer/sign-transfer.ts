import { randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { SandboxPayer } from '../folder/sandbox-folder.js';

/** `TransferWithAuthorization` of EIP-3009, as JSON has it: amounts and Unix seconds in decimals. */
export interface Authorization {
  readonly from: Address;
  readonly to: Address;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: Hex;
}

export interface TransferDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

/** A transfer signed in the last seconds of a window still has to be sent; the service sends nothing after the window. */
const GRACE_SECONDS = 60;

/** The type that a payer signs (EIP-3009). */
export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** Signs a transfer for somebody else to send, under a nonce of its own (EIP-712, EIP-3009). */
export async function signTransfer(
  payer: SandboxPayer,
  domain: TransferDomain,
  { to, value, until }: { to: Address; value: string; until: Date },
): Promise<{ authorization: Authorization; signature: Hex }> {
  const authorization = {
    from: payer.address,
    to,
    value,
    validAfter: '0',
    validBefore: String(Math.floor(until.getTime() / 1_000) + GRACE_SECONDS),
    nonce: `0x${randomBytes(32).toString('hex')}` as const,
  };
  const signature = await privateKeyToAccount(payer.private_key).signTypedData({
    domain,
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(value),
      validAfter: 0n,
      validBefore: BigInt(authorization.validBefore),
    },
  });
  return { authorization, signature };
}
