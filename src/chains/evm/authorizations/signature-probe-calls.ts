import { randomBytes } from 'node:crypto';
import { type Hex, encodeFunctionData } from 'viem';
import { privateKeyToAddress, sign, serializeSignature } from 'viem/accounts';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { TokenDomain, TransferAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import {
  AUTHORIZATION_STATE_ABI,
  type SignatureForm,
  authorizationCall,
  authorizationHash,
} from './authorization-call.js';
import { parseSignature } from './signature-forms.js';

export const SIGNATURE_FORMS: readonly SignatureForm[] = ['vrs', 'bytes'];

export interface SignatureProbeCall {
  readonly to: string;
  readonly data: Hex;
}

/**
 * The calls transfer nothing and are signed by a new key, so no existing code or balance matters. The same calls with
 * another key's signature must fail, because a contract may accept every call.
 */
export async function signatureProbeCalls(domain: TokenDomain): Promise<readonly SignatureProbeCall[]> {
  const [own, other] = [generateKey(), generateKey()];
  const [from, to] = [own, other].map((key) => canonicalAddress(privateKeyToAddress(key))) as [
    string,
    string,
  ];
  const calls = SIGNATURE_FORMS.flatMap((form) => [own, other].map((key) => ({ form, key })));
  const pairs = calls.map(async ({ form, key }): Promise<readonly SignatureProbeCall[]> => {
    const authorization = { ...ZERO_TRANSFER, from, to, nonce: generateKey() };
    const signature = await signed(domain, authorization, key);
    const { to: token, data } = authorizationCall(domain.verifyingContract, authorization, signature, form)!;
    return [{ to: token, data }, authorizationStateCall(token, authorization)];
  });
  return (await Promise.all(pairs)).flat();
}

export function acceptedSignatureForms(
  outcomes: readonly { readonly succeeded: boolean; readonly data: Hex }[],
): ReadonlySet<SignatureForm> {
  const isUsed = (at: number) => outcomes[at]!.succeeded && returnedTrue(outcomes[at]!.data);
  return new Set(
    SIGNATURE_FORMS.filter((_, i) => outcomes[4 * i]!.succeeded && isUsed(4 * i + 1) && !isUsed(4 * i + 3)),
  );
}

function authorizationStateCall(
  token: string,
  { from, nonce }: Pick<TransferAuthorization, 'from' | 'nonce'>,
) {
  const args = [from as Hex, nonce as Hex] as const;
  const data = encodeFunctionData({ abi: AUTHORIZATION_STATE_ABI, functionName: 'authorizationState', args });
  return { to: token, data };
}

function returnedTrue(data: Hex): boolean {
  return /^0x0{63}1$/.test(data);
}

const ZERO_TRANSFER = { value: 0n, validAfter: 0n, validBefore: 2n ** 64n };

async function signed(domain: TokenDomain, authorization: TransferAuthorization, key: Hex) {
  const hash = authorizationHash(domain, authorization);
  const signature = serializeSignature(await sign({ hash, privateKey: key }));
  return parseSignature(signature, []);
}

function generateKey(): Hex {
  return `0x${randomBytes(32).toString('hex')}`;
}
