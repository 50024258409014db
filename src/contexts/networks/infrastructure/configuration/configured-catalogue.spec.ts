import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#shared/kernel/domain-error.js';
import { NetworkReadiness } from '../../domain/network-readiness.js';
import {
  SAMPLE_TOKEN,
  nativeAsset,
  sampleAsset,
  sampleNetwork,
  settingsFor,
} from '../../testing/sample-configuration.js';
import { ForwarderAddresses } from '#chains/evm/forwarders/forwarder-addresses.js';
import { ForwarderDerivations } from '#chains/evm/forwarders/forwarder-derivations.js';
import { NetworksSettings } from '../networks-settings.js';
import { ConfiguredCatalogue } from './configured-catalogue.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

const OTHER_TOKEN = `0x${'11'.repeat(20)}`;
const settings = new NetworksSettings(
  parseNetworksConfiguration([
    sampleNetwork({
      factory: OTHER_TOKEN,
      assets: [sampleAsset(), sampleAsset({ token: OTHER_TOKEN, symbol: 'USDC' })],
    }),
    sampleNetwork({
      network: 'erc20',
      chain_id: 1,
      name: 'Ethereum',
      finality: 'finalized',
      factory: OTHER_TOKEN,
    }),
  ]),
);

describe('The catalogue of networks and assets', () => {
  it.each([SAMPLE_TOKEN, SAMPLE_TOKEN.toLowerCase(), `0x${SAMPLE_TOKEN.slice(2).toUpperCase()}`])(
    'finds an asset in any spelling and returns it with its checksum: %s',
    (token) => {
      const catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());

      expect(catalogue.asset(`nsandbox_t${token}`)?.uniqueAssetId).toBe(`nsandbox_t${SAMPLE_TOKEN}`);
    },
  );

  it.each([`nother_t${SAMPLE_TOKEN}`, `nsandbox_t${SAMPLE_TOKEN} `, SAMPLE_TOKEN, '__proto__'])(
    'does not find an asset by a wrong id: %j',
    (id) => {
      expect(new ConfiguredCatalogue(settings, new NetworkReadiness()).asset(id)).toBeUndefined();
    },
  );

  it('finds a native coin by its symbol, exactly as it is spelled', () => {
    const catalogue = new ConfiguredCatalogue(
      settingsFor('http://127.0.0.1:9', { network: 'erc20', assets: [sampleAsset(), nativeAsset()] }),
      new NetworkReadiness(),
    );

    expect(catalogue.asset('nerc20_tETH')).toMatchObject({ token: 'ETH', uniqueAssetId: 'nerc20_tETH' });
    for (const id of ['nerc20_teth', 'nerc20_tEth', 'nerc20_ETH', 'nsandbox_tETH'])
      expect(catalogue.asset(id)).toBeUndefined();
  });

  it('does not show the endpoints', () => {
    const catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());

    expect(JSON.stringify(catalogue.networks())).not.toContain('8545');
  });
});

describe('A network that is not in order', () => {
  const terms = { settlementAddress: SAMPLE_TOKEN, feeRecipient: OTHER_TOKEN, feeBasisPoints: 10 };
  const request = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

  it.each([
    { kind: 'unchecked', reason: 'down' } as const,
    { kind: 'foreign', reason: 'other' } as const,
    { kind: 'mismatched', problems: ['x'] } as const,
  ])('takes no requests while its state is not in order: %j', (standing) => {
    const readiness = new NetworkReadiness();
    readiness.set('erc20', { kind: 'ready' });
    readiness.set('sandbox', standing);
    const addressesOf = (network: string) =>
      new ForwarderAddresses(network, new ForwarderDerivations(settings), readiness);

    expect(new ConfiguredCatalogue(settings, readiness).acceptsPaymentRequests('sandbox')).toBe(false);
    expect(() => addressesOf('sandbox').derive(terms, { requestId: request })).toThrow(DomainError);
    expect(addressesOf('erc20').derive(terms, { requestId: request }).derivation.factory).toBe(OTHER_TOKEN);
  });
});
