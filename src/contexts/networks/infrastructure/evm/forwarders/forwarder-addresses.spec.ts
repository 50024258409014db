import { describe, expect, it } from '@jest/globals';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { ForwarderAddresses } from './forwarder-addresses.js';
import { FORMER_FACTORIES, committedFactory } from './forwarder-artifacts.js';
import { ForwarderDerivation, ForwarderDerivations } from './forwarder-derivation.js';

const settings = settingsFor('http://127.0.0.1:1', { chain_id: 1, assets: [sampleAsset(), nativeAsset()] });
const [token, coin] = settings.networks[0]!.assets;
const addresses = new ForwarderAddresses(new ForwarderDerivations(settings), new NetworkReadiness());
const to = { address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' };

describe('An address that was derived before', () => {
  const terms = { settlementAddress: to.address, feeRecipient: to.address, feeBasisPoints: 0 };
  const id = '00000000-0000-7000-8000-000000000001';
  const own = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
  const moved = settingsFor('http://127.0.0.1:1', { chain_id: 1, factory: own });
  const network = moved.networks[0]!.network;
  const now = new ForwarderAddresses(new ForwarderDerivations(moved), new NetworkReadiness());
  const again = (factory: string, homeChainId = 1) =>
    now.deriveAgain(network, terms, { requestId: id }, { factory, homeChainId })?.address;

  it('uses its own factory, current or committed, even while the network accepts no requests', () => {
    const by = (factory: string) => {
      const derivation = new ForwarderDerivation(factory, 1);
      return derivation.addressOf(derivation.initCodeHash(terms), id).toLowerCase();
    };

    const [former] = FORMER_FACTORIES as [string];
    expect(again(own)).toBe(by(own));
    expect(again(former)).toBe(by(former));
    expect(again(committedFactory())).toBe(by(committedFactory()));
    expect(by(own)).not.toBe(by(committedFactory()));
  });

  it.each([
    ['settlement address', { settlementAddress: own }],
    ['fee recipient', { feeRecipient: own }],
    ['fee', { feeBasisPoints: 101 }],
  ])('differs for terms with another %s', (_, other) => {
    const taxed = { ...terms, feeBasisPoints: 100 };
    const stored = { factory: committedFactory(), homeChainId: 1 };
    const addressOf = (of: typeof terms) => now.deriveAgain(network, of, { requestId: id }, stored)?.address;

    expect(addressOf({ ...taxed })).toBe(addressOf(taxed));
    expect(addressOf({ ...taxed, ...other })).not.toBe(addressOf(taxed));
  });

  it('rejects other factories and other chains', () => {
    expect(again('0x8617E340B3D01FA5F11F306F4090FD50E238070D')).toBeUndefined();
    expect(again(own, 2)).toBeUndefined();
  });
});

describe('A wallet on an EVM network', () => {
  it('opens with a token transfer of the amount (EIP-681)', () => {
    expect(addresses.transferUri(token!, to, 27_182_819n)?.uri).toBe(
      'ethereum:0x5FbDB2315678afecb367f032d93F642f64180aa3@1/transfer' +
        '?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=27182819',
    );
  });

  it('opens with the value of a payment in the native coin', () => {
    expect(addresses.transferUri(coin!, to, 27_182_819n * 10n ** 9n)?.uri).toBe(
      'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=27182819000000000',
    );
  });

  it('scans only the address, which every wallet understands', () => {
    expect(addresses.transferUri(coin!, to, 1n)?.code).toBe('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  });

  it('gets no URI for a network that is not configured', () => {
    expect(addresses.transferUri({ ...token!, network: 'other' }, to, 1n)).toBeNull();
  });
});
