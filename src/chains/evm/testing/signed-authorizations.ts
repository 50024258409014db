import { randomBytes } from 'node:crypto';
import { type Address, type Hex, concatHex, encodeAbiParameters, parseAbiParameters, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type {
  SignedTransferAuthorization,
  TokenDomain,
  TransferAuthorization,
} from '#contexts/networks/contract/authorized-transfers.js';
import { authorizationHash } from '../authorizations/authorization-call.js';
import { deployContract } from './chain-contracts.js';

export async function deployed(...contract: Parameters<typeof deployContract>): Promise<Address> {
  return (await deployContract(...contract)).toLowerCase() as Address;
}

export class Payer {
  private readonly account = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
  readonly address = this.account.address.toLowerCase() as Address;

  sign(domain: TokenDomain, authorization: TransferAuthorization): Promise<Hex> {
    return this.account.sign({ hash: authorizationHash(domain, authorization) });
  }
}

export const newNonce = (): Hex => `0x${randomBytes(32).toString('hex')}`;

export async function signedBy(
  payer: Payer,
  domain: TokenDomain,
  network: string,
  changes: Partial<TransferAuthorization> & Pick<TransferAuthorization, 'to'>,
): Promise<SignedTransferAuthorization> {
  const times = { validAfter: 0n, validBefore: 2n ** 48n };
  const authorization = { from: payer.address, value: 10n, ...times, nonce: newNonce(), ...changes };
  const token = domain.verifyingContract.toLowerCase();
  return { network, token, authorization, signature: await payer.sign(domain, authorization) };
}

/** Wraps a signature as one of a contract account that this factory deploys (ERC-6492). */
export function wrapSignature(factory: Address, signature: string): string {
  const types = parseAbiParameters('address, bytes, bytes');
  const suffix: Hex = `0x${'6492'.repeat(16)}`;
  return concatHex([encodeAbiParameters(types, [factory, '0x1234', signature as Hex]), suffix]);
}

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Returns the second valid signature of the same key and hash, which anyone can compute. */
export function malleableSignatureOf(signature: string): string {
  const s = CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith('1b') ? '1c' : '1b';
  return `${signature.slice(0, 66)}${toHex(s, { size: 32 }).slice(2)}${v}`;
}
