import { bytesToHex, concatBytes } from '@noble/hashes/utils';
import { bech32, bech32m } from '@scure/base';
import { invalidField } from '#shared/kernel/domain-error.js';
import { ADDRESS_FORMATS, type AddressFormat, decodeBase58 } from './address-format.js';
import { base58Address, segwitAddress } from './encode-address.js';

/** `future`: a segwit version without rules yet, so that anyone can spend the output. */
export type OutputKind = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr' | 'future';

export interface BitcoinAddress {
  /** The canonical spelling: bech32 in lower case, base58 unchanged. */
  readonly address: string;
  /** The output script (`scriptPubKey`) in lower-case hexadecimal. */
  readonly script: string;
  readonly kind: OutputKind;
}

/** The limit of BIP-173. */
const MAX_ADDRESS_LENGTH = 90;

const OPCODE_BEFORE_1 = 0x50;

export function readAddress(format: AddressFormat, field: string, text: string): BitcoinAddress {
  const script = outputScriptOf(format, text);
  const read = script === null ? null : addressOfScript(format, script);
  if (read !== null) return read;
  const beginnings = `Addresses of ${format.name} begin with ${format.beginnings}.`;
  const other = Object.values<AddressFormat>(ADDRESS_FORMATS).find(
    (each) => outputScriptOf(each, text) !== null,
  );
  if (other !== undefined) {
    const message = `is an address of ${other.name}, another network. ${beginnings}`;
    throw invalidField(field, 'address_network', message);
  }
  const message = `must be a Bitcoin address with a valid checksum, without spaces. ${beginnings}`;
  throw invalidField(field, 'bitcoin_address', message);
}

export function addressOfScript(format: AddressFormat, script: string): BitcoinAddress | null {
  const { length } = script;
  if (length === 50 && script.startsWith('76a914') && script.endsWith('88ac')) {
    const address = base58Address(format.keyHash, Buffer.from(script.slice(6, 46), 'hex'));
    return { address, script, kind: 'p2pkh' };
  }
  if (length === 46 && script.startsWith('a914') && script.endsWith('87')) {
    const address = base58Address(format.scriptHash, Buffer.from(script.slice(4, 44), 'hex'));
    return { address, script, kind: 'p2sh' };
  }
  if (length < 8 || length > 84) return null;
  // BIP-141: the version as an opcode, followed by the length and a program of 2 to 40 bytes.
  const bytes = Buffer.from(script, 'hex');
  const opcode = bytes[0]!;
  const version = opcode === 0 ? 0 : opcode - OPCODE_BEFORE_1;
  if (version < (opcode === 0 ? 0 : 1) || version > 16 || bytes[1] !== bytes.length - 2) return null;
  const kind = segwitOutputKind(version, bytes.length - 2);
  return kind && { address: segwitAddress(format.prefix, version, bytes.subarray(2)), script, kind };
}

function segwitOutputKind(version: number, bytes: number): OutputKind | null {
  if (version === 0) return bytes === 20 ? 'p2wpkh' : bytes === 32 ? 'p2wsh' : null;
  return version === 1 && bytes === 32 ? 'p2tr' : 'future';
}

function outputScriptOf(format: AddressFormat, text: string): string | null {
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  if (text.toLowerCase().startsWith(`${format.prefix}1`)) return segwitScript(format, text);
  const bytes = decodeBase58(text);
  if (bytes?.length !== 21) return null;
  const hash = bytesToHex(bytes.subarray(1));
  if (bytes[0] === format.keyHash) return `76a914${hash}88ac`;
  return bytes[0] === format.scriptHash ? `a914${hash}87` : null;
}

/** BIP-350: version 0 uses the bech32 checksum, all later versions use bech32m. */
function segwitScript(format: AddressFormat, text: string): string | null {
  for (const checksum of [bech32, bech32m]) {
    const decoded = checksum.decodeUnsafe(text, MAX_ADDRESS_LENGTH);
    if (decoded === undefined) continue;
    const [version = -1, ...words] = decoded.words;
    const program = bech32.fromWordsUnsafe(words);
    if (decoded.prefix !== format.prefix || !(program instanceof Uint8Array)) return null;
    if ((version === 0) !== (checksum === bech32) || version < 0 || version > 16) return null;
    if (program.length < 2 || program.length > 40 || segwitOutputKind(version, program.length) === null)
      return null;
    const head = new Uint8Array([version === 0 ? 0 : 0x50 + version, program.length]);
    return bytesToHex(concatBytes(head, program));
  }
  return null;
}
