import { type Hex, isErc6492Signature, parseErc6492Signature } from 'viem';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { TransferAuthorizationRefused } from '#contexts/networks/contract/authorized-transfers.js';

export interface EoaSignature {
  readonly v: number;
  readonly r: Hex;
  readonly s: Hex;
}

export interface ParsedSignature {
  /** For a wrapped signature, the inner bytes. */
  readonly bytes: Hex;
  readonly account: EoaSignature | null;
  /** The reason why the bytes cannot be the signature of an externally owned account. */
  readonly flaw: string | null;
  /** True if the signature is wrapped for a contract account that may not be deployed (ERC-6492). */
  readonly isWrapped: boolean;
}

const MAX_SIGNATURE_BYTES = 8_192;
const HALF_CURVE_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * @param factories account factories whose wrapped signatures are accepted, in lower case
 */
export function parseSignature(signature: string, factories: readonly string[]): ParsedSignature {
  if (!/^0x(?:[0-9a-f]{2})+$/.test(signature) || signature.length > 2 + 2 * MAX_SIGNATURE_BYTES)
    throw refused(`it must be 0x and 1 to ${MAX_SIGNATURE_BYTES} bytes in lower-case hexadecimal.`);
  const given = signature as Hex;
  if (!isErc6492Signature(given)) return { ...readBytes(given), isWrapped: false };
  const { factory, inner } = unwrapSignature(given);
  if (!factories.includes(factory))
    throw refused(
      `it is wrapped for the factory ${factory} (ERC-6492), which this network does not list in signature_factories.`,
    );
  return { ...readBytes(inner), isWrapped: true };
}

function unwrapSignature(signature: Hex): { readonly factory: string; readonly inner: Hex } {
  try {
    const { address, signature: inner } = parseErc6492Signature(signature);
    if (inner !== '0x' && !isErc6492Signature(inner)) return { factory: canonicalAddress(address!), inner };
  } catch {
    // The data before the ERC-6492 suffix does not decode, so the error below is thrown.
  }
  throw refused('it ends like a wrapped signature (ERC-6492), but is not one.');
}

function readBytes(bytes: Hex): Omit<ParsedSignature, 'isWrapped'> {
  const length = (bytes.length - 2) / 2;
  const flawed = (flaw: string) => ({ bytes, account: null, flaw });
  if (length === 64) return flawed('it has the compact form of EIP-2098, which tokens do not accept.');
  if (length !== 65) return flawed(`it must be 65 bytes, not ${length}.`);
  const [r, s, v] = [
    `0x${bytes.slice(2, 66)}` as const,
    `0x${bytes.slice(66, 130)}` as const,
    Number(`0x${bytes.slice(130)}`),
  ];
  if (v !== 27 && v !== 28) return flawed(`its last byte must be 27 or 28, not ${v}.`);
  if (BigInt(s) > HALF_CURVE_ORDER) return flawed('its s is in the upper half of the curve’s order (EIP-2).');
  return { bytes, account: { v, r, s }, flaw: null };
}

function refused(says: string): TransferAuthorizationRefused {
  return new TransferAuthorizationRefused('signature', `The signature is not valid: ${says}`);
}
