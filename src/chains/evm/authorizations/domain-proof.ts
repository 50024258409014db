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
import { readSignature } from './signature-forms.js';

export const FORMS: readonly SignatureForm[] = ['vrs', 'bytes'];

export interface ProofCall {
  readonly to: string;
  readonly data: Hex;
}

/**
 * The calls transfer nothing and are signed by a new key, so no existing code or balance matters. The same calls with
 * another key's signature must fail, because a contract may accept every call.
 */
export async function proofCalls(domain: TokenDomain): Promise<readonly ProofCall[]> {
  const [own, other] = [newKey(), newKey()];
  const [from, to] = [own, other].map((key) => canonicalAddress(privateKeyToAddress(key))) as [
    string,
    string,
  ];
  const calls = FORMS.flatMap((form) => [own, other].map((key) => ({ form, key })));
  const pairs = calls.map(async ({ form, key }): Promise<readonly ProofCall[]> => {
    const authorization = { ...OF_NOTHING, from, to, nonce: newKey() };
    const signature = await signed(domain, authorization, key);
    const { to: token, data } = authorizationCall(domain.verifyingContract, authorization, signature, form)!;
    return [{ to: token, data }, stateCall(token, authorization)];
  });
  return (await Promise.all(pairs)).flat();
}

export function formsTaken(
  outcomes: readonly { readonly succeeded: boolean; readonly data: Hex }[],
): ReadonlySet<SignatureForm> {
  const isUsed = (at: number) => outcomes[at]!.succeeded && isTrue(outcomes[at]!.data);
  return new Set(
    FORMS.filter((_, i) => outcomes[4 * i]!.succeeded && isUsed(4 * i + 1) && !isUsed(4 * i + 3)),
  );
}

function stateCall(token: string, { from, nonce }: Pick<TransferAuthorization, 'from' | 'nonce'>) {
  const args = [from as Hex, nonce as Hex] as const;
  const data = encodeFunctionData({ abi: AUTHORIZATION_STATE_ABI, functionName: 'authorizationState', args });
  return { to: token, data };
}

function isTrue(data: Hex): boolean {
  return /^0x0{63}1$/.test(data);
}

const OF_NOTHING = { value: 0n, validAfter: 0n, validBefore: 2n ** 64n };

async function signed(domain: TokenDomain, authorization: TransferAuthorization, key: Hex) {
  const hash = authorizationHash(domain, authorization);
  const signature = serializeSignature(await sign({ hash, privateKey: key }));
  return readSignature(signature, []);
}

function newKey(): Hex {
  return `0x${randomBytes(32).toString('hex')}`;
}
