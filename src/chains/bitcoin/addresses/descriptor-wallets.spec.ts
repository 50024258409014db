import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ADDRESS_FORMATS } from './address-format.js';
import { BitcoinPayoutAddressRules } from './bitcoin-payout-address-rules.js';
import { DescriptorAddresses } from './descriptor-addresses.js';
import { descriptorChecksum } from './descriptor-checksum.js';
import { DescriptorWallets } from './descriptor-wallets.js';

const { cases } = JSON.parse(readFileSync('test/fixtures/bitcoin/addresses.json', 'utf8')) as {
  readonly cases: readonly { readonly descriptor: string; readonly first: readonly string[] }[];
};
const NATIVE = cases[0]!;
const [KEY] = /xpub\w+/.exec(NATIVE.descriptor)!;

const wallets = new DescriptorWallets(ADDRESS_FORMATS.mainnet);
const addresses = new DescriptorAddresses(wallets);
const payouts = new BitcoinPayoutAddressRules(ADDRESS_FORMATS.mainnet, wallets);

const written = (body: string) => `${body}#${descriptorChecksum(body)}`;
const termsOf = (settlementAddress: string) => ({ settlementAddress, feeRecipient: '', feeBasisPoints: 0 });
const source = (number: number) => ({ requestId: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f', number });
const keysOf = (body: string) => wallets.walletOfSettlementAddress(written(body)).keys;

describe('The wallet of a descriptor', () => {
  it('has one sequence for all spellings, and another for other kinds of address', () => {
    const spellings = [`wpkh(${KEY}/0/*)`, `wpkh([00000000/84'/0H]${KEY}/<0;1>/*)`, `tr(${KEY}/0/*)`];

    const numberings = spellings.map((body) => addresses.sequenceName(termsOf(written(body))));

    expect(numberings.slice(0, 2)).toEqual([NATIVE.first[0], NATIVE.first[0]]);
    expect(numberings[2]).toMatch(/^bc1p/);
  });

  it('shares a key with each wallet that could have the same addresses or keys', () => {
    const own = keysOf(`wpkh(${KEY}/0/*)`);
    const shares = (body: string) => keysOf(body).some((key) => own.includes(key));

    expect([`tr(${KEY}/0/*)`, `wpkh(${KEY}/7/0/*)`, `sh(wpkh(${KEY}/<0;1>/*))`].map(shares)).toEqual([
      true,
      true,
      true,
    ]);
    const [other] = cases.flatMap(({ descriptor }) =>
      /xpub\w+/.exec(descriptor)?.[0] === KEY ? [] : (/xpub\w+/.exec(descriptor) ?? []),
    );
    expect(other === undefined || !shares(`wpkh(${other}/0/*)`)).toBe(true);
  });

  it('is shown without the key from which its addresses follow', () => {
    const { shortened } = wallets.walletOfSettlementAddress(NATIVE.descriptor);

    expect(shortened).not.toContain(KEY.slice(0, 20));
    expect(shortened.length).toBeLessThan(70);
    expect(shortened).toContain(`${KEY.slice(0, 8)}…${KEY.slice(-4)}/`);
  });
});

describe('The derivation of deposit addresses from a descriptor', () => {
  it('returns the children of the descriptor, and the same ones again only for the same descriptor', () => {
    const terms = termsOf(NATIVE.descriptor);

    const derived = [0, 1, 2].map((number) => addresses.derive(terms, source(number)));

    expect(derived.map(({ address }) => address)).toEqual(NATIVE.first.slice(0, 3));
    expect(derived[1]).toMatchObject({ isDelivered: true, derivation: { descriptor: NATIVE.descriptor } });
    const again = (stored: string, of = terms) => addresses.rederive(of, source(1), { descriptor: stored });
    expect(again(NATIVE.descriptor)).toEqual({ address: NATIVE.first[1] });
    expect(again(written(`tr(${KEY}/0/*)`))).toBeNull();
    expect(again('bc1qattacker', termsOf('bc1qattacker'))).toBeNull();
  });
});

describe('An address that money is refunded to', () => {
  it('is rejected with a witness version that anyone could spend', () => {
    const { first } = NATIVE;
    const read = (text: string) => payouts.parse('refund_to_address', text);

    expect(read(first[0]!.toUpperCase())).toBe(first[0]);
    // BIP-350 lists this address as valid, but its segwit version has no rules yet, so anyone could spend the output.
    expect(() => read('BC1SW50QGDZ25J')).toThrow('anyone could take');
    expect(() => read(NATIVE.descriptor)).toThrow('must be a Bitcoin address');
  });
});
