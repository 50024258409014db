import { randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { SandboxPayer } from '../folder/sandbox-folder.js';

/** `TransferWithAuthorization` of EIP-3009 as JSON. Amounts and Unix seconds are decimal strings. */
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

/** Time to send a transfer signed at the end of the window. The service sends nothing after the window. */
const GRACE_SECONDS = 60;

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

/** Signs a transfer, with a random nonce, for another account to send (EIP-712, EIP-3009). */
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
