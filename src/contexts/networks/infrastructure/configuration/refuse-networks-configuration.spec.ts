import { describe, expect, it } from '@jest/globals';
import { SAMPLE_TOKEN, nativeAsset, sampleAsset, sampleNetwork } from '../../testing/sample-configuration.js';
import { InvalidNetworksConfiguration } from './configuration-reader.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

const SPONSORED = { per_payment: '1', per_organization_and_day: '2', per_day: '2' };

describe('Refusing a networks configuration', () => {
  const address = 'must be an EVM address with a correct EIP-55 checksum (or all in lower case), not zero';
  const withAsset = (changes: object) => [
    sampleNetwork({
      assets: [sampleAsset({ symbol: 'A', token: `0x${'11'.repeat(20)}` }), sampleAsset(changes)],
    }),
  ];
  const at = 'networks[0].assets[1]';

  it.each<[unknown, string]>([
    [[], 'networks: must be an array with at least one element'],
    [[null], 'networks[0]: must be an object'],
    [[{ ...sampleNetwork(), rpc_url: 'x' }], 'networks[0].rpc_url: is not a known setting'],
    [[JSON.parse('{"__proto__": {}}')], 'networks[0].__proto__: is not a known setting'],
    [[{ network: 'sandbox' }], 'networks[0].name: is missing'],
    [
      [sampleNetwork({ network: 'Sand_Box' })],
      'networks[0].network: must be 1 to 32 lower-case letters, digits and hyphens',
    ],
    [[sampleNetwork({ name: '' })], 'networks[0].name: must be 1 to 64 visible characters'],
    [[sampleNetwork({ chain_id: 0 })], 'networks[0].chain_id: must be an integer from 1 to 9007199254740991'],
    [
      [sampleNetwork({ settlement: { max_gas_share_percent: 0 } })],
      'networks[0].settlement.max_gas_share_percent: must be a number from 0.01 to 100',
    ],
    [[sampleNetwork({ rpc_urls: [] })], 'networks[0].rpc_urls: must be an array with at least one element'],
    [
      [sampleNetwork({ rpc_urls: ['http://a', 'ws://b'] })],
      'networks[0].rpc_urls[1]: must be an http or https URL',
    ],
    [
      [sampleNetwork({ rpc_urls: ['http://a', 'http://b/x', 'HTTP://A:80/'] })],
      'networks[0].rpc_urls[2]: repeats networks[0].rpc_urls[0]',
    ],
    [
      [sampleNetwork({ rpc_urls: ['http://a/x', 'http://a/x#2'] })],
      'networks[0].rpc_urls[1]: must not have a fragment (#…), which is never sent',
    ],
    [
      [sampleNetwork({ rpc_urls: Array.from({ length: 9 }, (_, i) => `http://a/${i}`) })],
      'networks[0].rpc_urls: must name at most 8 endpoints',
    ],
    [
      [sampleNetwork({ finality: 'safe' })],
      'networks[0].finality: must be "finalized" or an object with confirmations',
    ],
    [
      [sampleNetwork({ finality: { confirmations: 0 } })],
      'networks[0].finality.confirmations: must be an integer from 1 to 10000',
    ],
    [
      [sampleNetwork({ finality: { tag: 'safe', typical_confirmations: 1 } })],
      'networks[0].finality.tag: must be "finalized"',
    ],
    [
      [sampleNetwork({ inclusion_grace_seconds: -1 })],
      'networks[0].inclusion_grace_seconds: must be an integer from 0 to 3600',
    ],
    ...[0.04, 3_601].map((block_seconds): [unknown, string] => [
      [sampleNetwork({ block_seconds })],
      'networks[0].block_seconds: must be a number from 0.05 to 3600',
    ]),
    ...['http://scan.example', 'https://scan.example/?key=1', 'https://me@scan.example'].map(
      (explorer_url): [unknown, string] => [
        [sampleNetwork({ explorer_url })],
        'networks[0].explorer_url: must be an https URL without a user, query or fragment',
      ],
    ),
    ...['http://rpc.example', 'https://me:key@rpc.example'].map((wallet_rpc_url): [unknown, string] => [
      [sampleNetwork({ wallet_rpc_url })],
      'networks[0].wallet_rpc_url: must be an https URL without a user, query or fragment',
    ]),
    ...[9, 86_401].map((max_lag_seconds): [unknown, string] => [
      [sampleNetwork({ max_lag_seconds })],
      'networks[0].max_lag_seconds: must be an integer from 10 to 86400',
    ]),
    [[sampleNetwork({ factory: '0x00' })], `networks[0].factory: ${address}`],
    ...['1.0000000001', '1000001'].map((ceiling_gwei): [unknown, string] => [
      [sampleNetwork({ fees: { ceiling_gwei } })],
      'networks[0].fees.ceiling_gwei: must be gwei as a decimal string, up to 1000000, with up to 9 decimals',
    ]),
    [[sampleNetwork({ fees: { ceiling_gwei: '0' } })], 'networks[0].fees.ceiling_gwei: must be above zero'],
    [
      [sampleNetwork({ fees: { floor_gwei: '2', ceiling_gwei: '1.5' } })],
      'networks[0].fees.floor_gwei: must not be above ceiling_gwei',
    ],
    ...[20_999, 2 ** 24 + 1].map((transfer_gas): [unknown, string] => [
      [sampleNetwork({ transfer_gas })],
      'networks[0].transfer_gas: must be an integer from 21000 to 16777216',
    ]),
    ...['0', '0.0000000000000000001'].map((per_payment): [unknown, string] => [
      [sampleNetwork({ sponsored_payments: { ...SPONSORED, per_payment } })],
      'networks[0].sponsored_payments.per_payment: must be a decimal string of the native coin, above zero, ' +
        'with at most 18 fraction digits',
    ]),
    [
      [sampleNetwork({ sponsored_payments: { per_payment: '1' } })],
      'networks[0].sponsored_payments.per_organization_and_day: is missing',
    ],
    [
      [sampleNetwork({ sponsored_payments: { ...SPONSORED, per_payment: '3' } })],
      'networks[0].sponsored_payments.per_payment: must not be above per_organization_and_day',
    ],
    [
      [sampleNetwork({ sponsored_payments: { ...SPONSORED, per_day: '1.9' } })],
      'networks[0].sponsored_payments.per_organization_and_day: must not be above per_day',
    ],
    [
      [sampleNetwork({ signature_factories: [SAMPLE_TOKEN, SAMPLE_TOKEN.toLowerCase()] })],
      'networks[0].signature_factories[1]: repeats networks[0].signature_factories[0]',
    ],
    [[sampleNetwork({ assets: [] })], 'networks[0].assets: must be an array with at least one element'],
    ...[SAMPLE_TOKEN.replace('F', 'f'), `0x${'0'.repeat(40)}`, 'usdt'].map((token): [unknown, string] => [
      withAsset({ token }),
      `${at}.token: ${address}, or the symbol of the native coin`,
    ]),
    [
      withAsset({ token: 'ETH', symbol: 'ETH' }),
      `${at}.decimals: must be 18, the decimals of the native coin`,
    ],
    [
      [sampleNetwork({ assets: [nativeAsset(), nativeAsset({ token: 'GAS', symbol: 'GAS' })] })],
      'networks[0].assets[1].token: is a second native coin besides networks[0].assets[0].token',
    ],
    ...['MATIC', 'pol'].map((symbol): [unknown, string] => [
      [sampleNetwork({ chain_id: 137, assets: [sampleAsset(), nativeAsset({ token: symbol, symbol })] })],
      'networks[0].assets[1].symbol: must be POL, the native coin of its chain',
    ]),
    [
      withAsset({ agreement_above: '1' }),
      `${at}.agreement_above: requires at least two rpc_urls, so that endpoints can be compared`,
    ],
    ...['0', '0.0000001'].map((agreement_above): [unknown, string] => [
      [
        sampleNetwork({
          rpc_urls: ['http://a', 'http://b'],
          assets: [sampleAsset({ agreement_above })],
        }),
      ],
      'networks[0].assets[0].agreement_above: must be a decimal string greater than zero with at most 6 ' +
        'fraction digits',
    ]),
    [withAsset({ token: `0x${'11'.repeat(20)}` }), `${at}.token: repeats networks[0].assets[0].token`],
    [withAsset({ symbol: 'A' }), `${at}.symbol: repeats networks[0].assets[0].symbol`],
    ...['X'.repeat(17), 'US$', 'УСДТ'].map((symbol): [unknown, string] => [
      withAsset({ symbol }),
      `${at}.symbol: must be 1 to 12 letters and digits, like USDC, or with a suffix, like USDC.e or USD+`,
    ]),
    [withAsset({ decimals: 37 }), `${at}.decimals: must be an integer from 0 to 36`],
    [withAsset({ symbol: 'MNT' }), `${at}.symbol: must not be a currency code`],
    ...['usd', 'XAU'].map((peg): [unknown, string] => [
      withAsset({ peg }),
      `${at}.peg: must be the ISO 4217 code of a currency, like USD`,
    ]),
    ...[{ peg: 'EUR' }, {}].map((changes): [unknown, string] => [
      [
        sampleNetwork({ assets: [sampleAsset({ peg: 'USD' })] }),
        sampleNetwork({ network: 'other', chain_id: 2, assets: [sampleAsset(changes)] }),
      ],
      'networks[1].assets[0].peg: must be the same as that of USDT on sandbox',
    ]),
    [withAsset({ minimum_amount: 0.01 }), `${at}.minimum_amount: must be a string`],
    ...['0', '0.0000001'].map((minimum_amount): [unknown, string] => [
      withAsset({ minimum_amount }),
      `${at}.minimum_amount: must be a decimal string greater than zero with at most 6 fraction digits`,
    ]),
    [[sampleNetwork(), sampleNetwork({ chain_id: 2 })], 'networks[1].network: repeats networks[0].network'],
    [
      [sampleNetwork(), sampleNetwork({ network: 'other' })],
      'networks[1].chain_id: repeats networks[0].chain_id',
    ],
  ])('says where it is wrong: %j', (json, sentence) => {
    expect(() => parseNetworksConfiguration(json)).toThrow(
      new InvalidNetworksConfiguration(...split(sentence)),
    );
  });
});

function split(sentence: string): [string, string] {
  const end = sentence.indexOf(': ');
  return [sentence.slice(0, end), sentence.slice(end + 2)];
}
