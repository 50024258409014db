import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#shared/kernel/domain-error.js';
import { ADDRESS_FORMATS, type AddressFormat, decodeBase58, encodeBase58 } from './address-format.js';
import { childAddress } from './child-addresses.js';
import { descriptorChecksum } from './descriptor-checksum.js';
import { readDescriptor } from './read-descriptor.js';

const { mainnet, testnet } = ADDRESS_FORMATS;

// The account key of BIP-84's test vector, and one of its child keys.
const XPUB =
  'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V';
const FIRST = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
const ORIGIN = '[73c5da0a/84h/0h/0h]';

/** Encodes the same key with other version bytes, such as 0x04b24746 for zpub. */
function asVersion(version: number, key = XPUB): string {
  const bytes = decodeBase58(key)!;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, version);
  return encodeBase58(bytes);
}

function changed(at: number, byte: number, key = XPUB): string {
  const bytes = decodeBase58(key)!;
  bytes[at] = byte;
  return encodeBase58(bytes);
}

const ZPUB = asVersion(0x04b24746);
const TPUB = asVersion(0x043587cf);
const XPRV = asVersion(0x0488ade4);

const withChecksum = (script: string): string => `${script}#${descriptorChecksum(script)}`;

function refused(text: string, format: AddressFormat = mainnet): [string | undefined, string] {
  try {
    readDescriptor(format, 'terms.descriptor', text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [problem] = error.errors;
    expect(problem?.field).toBe('terms.descriptor');
    return [problem?.rule, error.message];
  }
  return [undefined, ''];
}

describe('Reading an output descriptor', () => {
  it('reads what wallets export, with the origin of the keys', () => {
    const text = `wpkh([73C5DA0A/84h/0H/0']${XPUB}/<0;1>/*)`;

    const descriptor = readDescriptor(mainnet, 'descriptor', withChecksum(text));

    expect(descriptor).toMatchObject({ script: 'wpkh', origin: "wpkh([73c5da0a/84'/0'/0'])", path: '/0' });
    expect(childAddress(descriptor, 0).address).toBe(FIRST);
  });

  it('reads a key without an origin, and plain steps before the receive branch', () => {
    const read = (script: string) => readDescriptor(mainnet, 'descriptor', withChecksum(script));

    expect(read(`sh(wpkh(${XPUB}/0/*))`)).toMatchObject({ script: 'sh(wpkh)', origin: null, path: '/0' });
    expect(read(`tr(${ORIGIN}${XPUB}/7/2147483647/<0;1>/*)`)).toMatchObject({ path: '/7/2147483647/0' });
  });

  it('computes the checksum of BIP-380', () => {
    expect(descriptorChecksum('raw(deadbeef)')).toBe('89f8spxm');
  });

  it.each([
    ['an extended private key', `wpkh(${XPRV}/0/*)`],
    ['one of SLIP-132, alone', asVersion(0x04b2430c)],
    ['a private key in wallet import format', 'wpkh(L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1)'],
    ['a seed', `${'abandon '.repeat(11)}about`],
    [
      'one among several keys, longer than any descriptor may be',
      `wsh(multi(1${`,${ORIGIN}${XPUB}/0/*`.repeat(3)},${XPRV}/0/*))`,
    ],
  ])('refuses a secret without repeating it: %s', (_what, text) => {
    const [rule, message] = refused(text);

    expect(rule).toBe('private_key');
    for (const secret of text.match(/\w{7,}/g)!) expect(message).not.toContain(secret);
  });

  it.each([
    ['too long', 'max_length', withChecksum(`wpkh([73c5da0a${'/0h'.repeat(100)}]${XPUB}/0/*)`)],
    ['no checksum', 'descriptor_checksum', `wpkh(${XPUB}/0/*)`],
    ['a wrong checksum', 'descriptor_checksum', `wpkh(${XPUB}/0/*)#89f8spxm`],
    ['a line break', 'descriptor_character', `${withChecksum(`wpkh(${XPUB}/0/*)`)}\n`],
    ['a letter of another script', 'descriptor_character', `wрkh(${XPUB}/0/*)#89f8spxm`],
    ['a key alone', 'output_descriptor', XPUB],
    ['another script', 'descriptor_script', withChecksum(`pkh(${XPUB}/0/*)`)],
    ['a script tree', 'descriptor_script', withChecksum(`tr(${XPUB}/0/*,pk(${XPUB}/1/*))`)],
    ['text behind', 'descriptor_script', withChecksum(`wpkh(${XPUB}/0/*)x`)],
    ['two keys', 'extended_public_key', withChecksum(`wpkh(${XPUB},${XPUB}/0/*)`)],
    ['a key that is not extended', 'extended_public_key', withChecksum(`wpkh(02${'ab'.repeat(32)})`)],
    ['a key of no point', 'extended_public_key', withChecksum(`wpkh(${changed(45, 1)}/0/*)`)],
    ['a private key as a public one', 'extended_public_key', withChecksum(`wpkh(${changed(45, 0)}/0/*)`)],
    ['a master key with a parent', 'extended_public_key', withChecksum(`wpkh(${changed(4, 0)}/0/*)`)],
    ['a key of a test network', 'key_network', withChecksum(`wpkh(${TPUB}/0/*)`)],
    ['a hardened step', 'hardened_step', withChecksum(`wpkh(${XPUB}/0h/*)`)],
    ['hardened children', 'hardened_step', withChecksum(`wpkh(${XPUB}/0/*')`)],
    ['no children', 'wildcard', withChecksum(`wpkh(${XPUB}/0/5)`)],
    ['the change branch', 'receive_branch', withChecksum(`wpkh(${XPUB}/1/*)`)],
    ['no branch', 'receive_branch', withChecksum(`wpkh(${XPUB}/*)`)],
    ['change first', 'receive_branch', withChecksum(`wpkh(${XPUB}/<1;0>/*)`)],
    ['two wildcards', 'receive_branch', withChecksum(`wpkh(${XPUB}/*/0/*)`)],
    ['a step too large', 'receive_branch', withChecksum(`wpkh(${XPUB}/2147483648/0/*)`)],
    ['a depth without children', 'receive_branch', withChecksum(`wpkh(${changed(4, 254)}/0/*)`)],
    ['a short fingerprint', 'key_origin', withChecksum(`wpkh([73c5da0/84h]${XPUB}/0/*)`)],
    ['a wildcard in the origin', 'key_origin', withChecksum(`wpkh([73c5da0a/84h/*]${XPUB}/0/*)`)],
    ['an origin step too large', 'key_origin', withChecksum(`wpkh([73c5da0a/2147483648]${XPUB}/0/*)`)],
  ])('refuses a text that is not a supported descriptor: %s (%s)', (_what, rule, text) => {
    expect(refused(text)[0]).toBe(rule);
  });

  it('asks for a checksum that is missing after its sign', () => {
    expect(refused(`wpkh(${XPUB}/0/*)#`)[1]).toContain('must end in # and a checksum');
  });

  it('proposes the descriptor that a SLIP-132 key means', () => {
    for (const text of [ZPUB, `${ORIGIN}${ZPUB}`, withChecksum(`wpkh(${ORIGIN}${ZPUB}/<0;1>/*)`)]) {
      const [rule, message] = refused(text);
      const [meant = ''] = /wpkh\(.*\)#\w{8}/.exec(message)!;

      expect(rule).toBe('slip132_key');
      expect(childAddress(readDescriptor(mainnet, 'descriptor', meant), 0).address).toBe(FIRST);
    }
    expect(refused(asVersion(0x049d7cb2))[1]).toContain(`sh(wpkh(${XPUB}/0/*))#`);
    expect(refused(asVersion(0x045f1cf6), testnet)[1]).toContain(` wpkh(${TPUB}/0/*)#`);
    expect(refused(asVersion(0x044a5262), testnet)[1]).toContain(` sh(wpkh(${TPUB}/0/*))#`);
  });

  it('repeats no private key that stands in a SLIP-132 key, or where its origin belongs', () => {
    const secret = 'ab'.repeat(32);

    expect(refused(`[${secret}]${ZPUB}`)[1]).toContain(`wpkh(${XPUB}/0/*)#`);
    expect(refused(changed(45, 0, ZPUB))[1]).toMatch(/no public key. Copy it again.$/);
  });

  it('converts no SLIP-132 key of another network, of several signers, or with a wrong letter', () => {
    expect(refused(ZPUB, testnet)[1]).toContain('another network than testnet or signet');
    expect(refused(asVersion(0x02aa7ed3))[1]).toContain('several signers');
    expect(refused(`${ZPUB.slice(0, -1)}1`)[1]).toContain('checksum is wrong');
  });
});
