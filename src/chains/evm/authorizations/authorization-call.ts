import { type Hex, decodeFunctionData, encodeFunctionData, hashTypedData, parseAbi } from 'viem';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { TokenDomain, TransferAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import type { PlannedCall } from '#contexts/networks/domain/outbound/outbound-transaction.js';
import type { ParsedSignature } from './signature-forms.js';

/**
 * `vrs`: the original, for externally owned accounts. `bytes`: the additional variant of newer tokens, which also
 * supports contracts (EIP-1271).
 */
export type SignatureForm = 'vrs' | 'bytes';

const VRS_ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);
const BYTES_ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);
export const AUTHORIZATION_STATE_ABI = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);

const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

type Call = Omit<PlannedCall, 'gasLimit'> & { readonly data: Hex };

export function authorizationHash(domain: TokenDomain, authorization: TransferAuthorization): Hex {
  const { from, to, nonce, ...rest } = authorization;
  return hashTypedData({
    domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { ...rest, from: from as Hex, to: to as Hex, nonce: nonce as Hex },
  });
}

export function authorizationCall(
  token: string,
  { from, to, value, validAfter, validBefore, nonce }: TransferAuthorization,
  { account, bytes }: ParsedSignature,
  form: SignatureForm,
): Call | null {
  const functionName = 'transferWithAuthorization';
  const args = [from as Hex, to as Hex, value, validAfter, validBefore, nonce as Hex] as const;
  const call = (data: Hex): Call => ({ to: canonicalAddress(token), data, value: 0n });
  if (form === 'bytes')
    return call(encodeFunctionData({ abi: BYTES_ABI, functionName, args: [...args, bytes] }));
  if (account === null) return null;
  const { v, r, s } = account;
  return call(encodeFunctionData({ abi: VRS_ABI, functionName, args: [...args, v, r, s] }));
}

export function readAuthorizationCall({ to, data, value }: Omit<PlannedCall, 'gasLimit'>) {
  if (value !== 0n) return null;
  for (const abi of [VRS_ABI, BYTES_ABI] as const)
    try {
      const { args, functionName } = decodeFunctionData({ abi, data: data as Hex });
      // Rejects extra bytes after the arguments, which would make it a different call.
      if (encodeFunctionData({ abi, functionName, args } as never) !== data) continue;
      const [from, recipient, units, validAfter, validBefore, nonce] = args;
      const times = { value: units, validAfter, validBefore, nonce };
      const parties = { from: canonicalAddress(from), to: canonicalAddress(recipient) };
      return { token: canonicalAddress(to), authorization: { ...parties, ...times } };
    } catch {
      // Try the next form.
    }
  return null;
}

/** A contract checks a signature only in the `bytes` form. A delegated account (EIP-7702) may accept either. */
export function signatureFormsFor(
  { account, isWrapped }: Pick<ParsedSignature, 'account' | 'isWrapped'>,
  hasCode: boolean,
): readonly SignatureForm[] {
  if (account === null) return ['bytes'];
  return hasCode || isWrapped ? ['bytes', 'vrs'] : ['vrs', 'bytes'];
}
