import { createView } from '@noble/hashes/utils';
import { type DomainError, invalidField } from '#shared/kernel/domain-error.js';
import { type AddressFormat, decodeBase58, encodeBase58 } from './address-format.js';
import { descriptorChecksum } from './descriptor-checksum.js';
import { ExtendedPublicKey } from './extended-public-key.js';

/** Matches only at the beginning of a key: a public key may contain these letters elsewhere by chance. */
const EXTENDED_PRIVATE_KEY = /(?<![1-9A-HJ-NP-Za-km-z])[tuvxyzUVYZ]prv/;
/** Wallet import format: 51 or 52 base58 characters, recognized by the first one. */
const WIF_PRIVATE_KEY = /(?<![1-9A-HJ-NP-Za-km-z])[5KL9c][1-9A-HJ-NP-Za-km-z]{50,51}(?![1-9A-HJ-NP-Za-km-z])/;
/** Twelve words or more, as wallets write a seed (BIP-39). */
const SEED_WORDS = /^\s*(?:[a-z]{3,8}\s+){11,}[a-z]{3,8}\s*$/i;

/** Brackets are captured only around a key origin, because an error message must not repeat anything else. */
const SLIP_132_KEY =
  /(\[[0-9a-fA-F]{8}(?:\/[0-9]{1,10}[hH']?)*\])?(?<![1-9A-HJ-NP-Za-km-z])(([yzuvYZUV])pub[1-9A-HJ-NP-Za-km-z]{107})/;
const BARE_KEY = /^(?:\[[^[\]]*\])?[xt]pub[^()]*$/;

/** The error message repeats no part of the text, because messages are logged. */
export function refusePrivateKeys(field: string, text: string): void {
  if (!EXTENDED_PRIVATE_KEY.test(text) && !WIF_PRIVATE_KEY.test(text) && !SEED_WORDS.test(text)) return;
  throw invalidField(
    field,
    'private_key',
    'has a private key or seed words, which this service must never hold. Anyone who saw this input can spend the ' +
      'wallet’s funds: move them to a new wallet, and use the public descriptor of that one.',
  );
}

export function refuseNonDescriptorKeys(format: AddressFormat, field: string, text: string): void {
  const [, origin = '', key, letter] = SLIP_132_KEY.exec(text) ?? [];
  if (key !== undefined && letter !== undefined) throw slip132KeyError(format, field, origin, key, letter);
  if (!BARE_KEY.test(text)) return;
  throw invalidField(
    field,
    'output_descriptor',
    'is only a key and does not specify the address type. Export the output descriptor of the wallet, such as ' +
      `wpkh([d34db33f/84h/0h/0h]${format.keyPrefix}…/0/*)#checksum.`,
  );
}

/** SLIP-132 encodes the script type in the key's version. */
function slip132KeyError(
  format: AddressFormat,
  field: string,
  origin: string,
  key: string,
  letter: string,
): DomainError {
  const refused = (message: string): DomainError => invalidField(field, 'slip132_key', message);
  const is = `has a ${letter}pub key (SLIP-132), which descriptors do not support`;
  if (/[YZUV]/.test(letter))
    return refused(`${is}, and belongs to a wallet with several signers. ${ONE_SIGNER_RULE}`);
  const isOfMainnet = letter === 'y' || letter === 'z';
  if (isOfMainnet !== (format.keyPrefix === 'xpub')) {
    return refused(`${is}, and it belongs to another network than ${format.name}.`);
  }
  const bytes = decodeBase58(key);
  // Bytes that are not a public key may contain a private key, so the message does not repeat them.
  if (bytes === null || ExtendedPublicKey.read(bytes) === null) {
    return refused(
      `${is}, and it is damaged: its checksum is wrong, or it has no public key. Copy it again.`,
    );
  }
  createView(bytes).setUint32(0, format.keyVersion);
  const expression = `${origin}${encodeBase58(bytes)}/0/*`;
  const script = letter === 'y' || letter === 'u' ? `sh(wpkh(${expression}))` : `wpkh(${expression})`;
  return refused(
    `${is}. The same key as a descriptor is ${script}#${descriptorChecksum(script)}: compare its first addresses ` +
      'with those of the wallet.',
  );
}

export const ONE_SIGNER_RULE = 'Use a wallet of one signer: wpkh(KEY), tr(KEY) or sh(wpkh(KEY)).';
