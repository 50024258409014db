import { describe, expect, it } from '@jest/globals';
import { SAMPLE_TOKEN, nativeAsset, sampleAsset, sampleNetwork } from '../../testing/sample-configuration.js';
import { InvalidNetworksConfiguration } from './configuration-reader.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

const SPONSORED = { per_payment: '1', per_organization_and_day: '2', per_day: '2' };
const ADDRESS = 'must be an EVM address with a correct EIP-55 checksum (or all in lower case), not zero';
const PAGE = 'must be an https URL without a user, query or fragment';
const NATIVE_AMOUNT =
  'must be a decimal string of the native coin, above zero, with at most 18 fraction digits';
const GWEI = 'must be gwei as a decimal string, up to 1000000, with up to 9 decimals';
const AMOUNT = 'must be a decimal string greater than zero with at most 6 fraction digits';
const SYMBOL = 'must be 1 to 12 letters and digits, like USDC, or with a suffix, like USDC.e or USD+';
const TWO_URLS = { rpc_urls: ['http://a', 'http://b'] };

function expectRefusal(json: unknown, place: string, rule: string): void {
  expect(() => parseNetworksConfiguration(json)).toThrow(new InvalidNetworksConfiguration(place, rule));
}

const USD = { in: 'USD' };
const SMALL = { up_to: '100', ...USD, require: 5 };
const SAFE = { up_to: '1000', ...USD, require: 'safe' };
const ALL = { require: 'finalized' };
const BEGIN = 'must begin with a number of blocks, at most that of finality';
const ORDER = 'must be in ascending order of up_to and of require: blocks, then "safe", then "finalized"';

describe('A table of confirmations by amount', () => {
  it.each<[object[], string, string, object?]>([
    [[], '', 'must be an array with at least one element'],
    [[SAFE, ALL], '', BEGIN],
    [[{ require: 601 }], '', BEGIN],
    [[{ require: 5 }], '', BEGIN, { finality: { confirmations: 4 } }],
    [[SMALL], '', 'must end with an entry without up_to, and all other entries must have it'],
    [[{ require: 5 }, ALL], '', 'must end with an entry without up_to, and all other entries must have it'],
    [[SMALL, { ...SAFE, in: 'EUR' }, ALL], '', 'must have the same currency in all entries'],
    [[SMALL, { ...SMALL, require: 'safe' }, ALL], '', ORDER],
    [[SMALL, { ...SAFE, require: 5 }, ALL], '', ORDER],
    [[SMALL, { ...SAFE, require: 'finalized' }, { require: 'safe' }], '', ORDER],
    [[SMALL, SAFE, { require: 400 }], '', ORDER],
    [
      [SMALL, { ...SAFE, require: 'latest' }, ALL],
      '[1].require',
      'must be a number of blocks, "safe" or "finalized"',
    ],
    [[{ require: 0 }], '[0].require', 'must be an integer from 1 to 10000'],
    [[{ ...SMALL, in: 'USDC' }, ALL], '[0].in', 'must be the ISO 4217 code of a currency, like USD'],
    [[SMALL, { ...ALL, ...USD }], '[1].in', 'must be set if up_to is set, and only then'],
    [[{ ...SMALL, up_to: '0.001' }, ALL], '[0].up_to', AMOUNT.replace('6', '2')],
    [
      [SMALL, { ...ALL, typical_confirmations: 9 }],
      '[1].typical_confirmations',
      'is allowed only if require is "safe"',
    ],
    [
      [SMALL, ALL],
      '[1].require',
      'must be a number of blocks, because finality is a number of confirmations',
      { finality: { confirmations: 9 } },
    ],
  ])('is refused: %j', (confirmations, place, rule, changes = {}) => {
    const finality = { tag: 'finalized', typical_confirmations: 600 };
    expectRefusal(
      [sampleNetwork({ finality, confirmations, ...changes })],
      `networks[0].confirmations${place}`,
      rule,
    );
  });

  it('is the only such table of its network', () => {
    const assets = [sampleAsset({ confirmations_by_amount: [{ confirmations: 3 }] })];
    const network = sampleNetwork({ confirmations: [{ require: 3 }], assets });

    const rule = 'must be omitted, because the network has confirmations';
    expectRefusal([network], 'networks[0].assets[0].confirmations_by_amount', rule);
  });
});

describe('A networks configuration', () => {
  it.each<[unknown, string, string]>([
    [[], 'networks', 'must be an array with at least one element'],
    [[null], 'networks[0]', 'must be an object'],
    [[JSON.parse('{"__proto__": {}}')], 'networks[0].__proto__', 'is not a known setting'],
    [[{ network: 'sandbox' }], 'networks[0].name', 'is missing'],
    [
      [sampleNetwork(), sampleNetwork({ chain_id: 2 })],
      ...(['networks[1].network', 'repeats networks[0].network'] as const),
    ],
    [
      [sampleNetwork(), sampleNetwork({ network: 'other' })],
      ...(['networks[1].chain_id', 'repeats networks[0].chain_id'] as const),
    ],
    ...[{ peg: 'EUR' }, {}].map((changes): [unknown, string, string] => [
      [
        sampleNetwork({ assets: [sampleAsset({ peg: 'USD' })] }),
        sampleNetwork({ network: 'other', chain_id: 2, assets: [sampleAsset(changes)] }),
      ],
      'networks[1].assets[0].peg',
      'must be the same as that of USDT on sandbox',
    ]),
  ])('is rejected if it is not a list of different networks: %j', expectRefusal);

  it.each<[object, string, string]>([
    [{ rpc_url: 'x' }, 'rpc_url', 'is not a known setting'],
    [{ network: 'Sand_Box' }, 'network', 'must be 1 to 32 lower-case letters, digits and hyphens'],
    [{ name: '' }, 'name', 'must be 1 to 64 visible characters'],
    [{ max_calls_per_second: 0 }, 'max_calls_per_second', 'must be an integer from 1 to 10000'],
    [{ chain_id: 0 }, 'chain_id', 'must be an integer from 1 to 9007199254740991'],
    [
      { settlement: { max_gas_share_percent: 0 } },
      'settlement.max_gas_share_percent',
      'must be a number from 0.01 to 100',
    ],
    [{ rpc_urls: ['http://a', 'ws://b'] }, 'rpc_urls[1]', 'must be an http or https URL'],
    [{ rpc_urls: ['http://a', 'HTTP://A:80/'] }, 'rpc_urls[1]', 'repeats networks[0].rpc_urls[0]'],
    [
      { rpc_urls: ['http://a/x', 'http://a/x#2'] },
      'rpc_urls[1]',
      'must not have a fragment (#…), which is never sent',
    ],
    [
      { rpc_urls: Array.from({ length: 9 }, (_, i) => `http://a/${i}`) },
      'rpc_urls',
      'must name at most 8 endpoints',
    ],
    [{ finality: 'safe' }, 'finality', 'must be "finalized" or an object with confirmations'],
    [{ finality: { confirmations: 0 } }, 'finality.confirmations', 'must be an integer from 1 to 10000'],
    [{ finality: { tag: 'safe', typical_confirmations: 1 } }, 'finality.tag', 'must be "finalized"'],
    [{ inclusion_grace_seconds: -1 }, 'inclusion_grace_seconds', 'must be an integer from 0 to 3600'],
    [{ block_seconds: 0.04 }, 'block_seconds', 'must be a number from 0.05 to 3600'],
    [{ block_seconds: 3_601 }, 'block_seconds', 'must be a number from 0.05 to 3600'],
    [{ max_lag_seconds: 9 }, 'max_lag_seconds', 'must be an integer from 10 to 86400'],
    [{ max_lag_seconds: 86_401 }, 'max_lag_seconds', 'must be an integer from 10 to 86400'],
    [{ explorer_url: 'http://scan.example' }, 'explorer_url', PAGE],
    [{ explorer_url: 'https://scan.example/?key=1' }, 'explorer_url', PAGE],
    [{ wallet_rpc_url: 'https://me:key@rpc.example' }, 'wallet_rpc_url', PAGE],
    [{ factory: '0x00' }, 'factory', ADDRESS],
    [{ fees: { ceiling_gwei: '1.0000000001' } }, 'fees.ceiling_gwei', GWEI],
    [{ fees: { ceiling_gwei: '1000001' } }, 'fees.ceiling_gwei', GWEI],
    [{ fees: { ceiling_gwei: '0' } }, 'fees.ceiling_gwei', 'must be above zero'],
    [{ fees: { floor_gwei: '2', ceiling_gwei: '1.5' } }, 'fees.floor_gwei', 'must not be above ceiling_gwei'],
    [{ transfer_gas: 20_999 }, 'transfer_gas', 'must be an integer from 21000 to 16777216'],
    [{ transfer_gas: 2 ** 24 + 1 }, 'transfer_gas', 'must be an integer from 21000 to 16777216'],
    [
      { signature_factories: [SAMPLE_TOKEN, SAMPLE_TOKEN.toLowerCase()] },
      'signature_factories[1]',
      'repeats networks[0].signature_factories[0]',
    ],
    [
      { assets: [nativeAsset(), nativeAsset({ token: 'GAS', symbol: 'GAS' })] },
      'assets[1].token',
      'is a second native coin besides networks[0].assets[0].token',
    ],
    [
      { chain_id: 137, assets: [sampleAsset(), nativeAsset({ token: 'MATIC', symbol: 'MATIC' })] },
      'assets[1].symbol',
      'must be POL, the native coin of its chain',
    ],
    [{ ...TWO_URLS, assets: [sampleAsset({ agreement_above: '0' })] }, 'assets[0].agreement_above', AMOUNT],
  ])('is rejected if a network has a wrong setting: %j', (changes, place, rule) =>
    expectRefusal([sampleNetwork(changes)], `networks[0].${place}`, rule),
  );

  it.each<[object, string, string]>([
    [{ per_payment: '0' }, 'per_payment', NATIVE_AMOUNT],
    [{ per_payment: '0.0000000000000000001' }, 'per_payment', NATIVE_AMOUNT],
    [{ per_payment: '3' }, 'per_payment', 'must not be above per_organization_and_day'],
    [{ per_day: '1.9' }, 'per_organization_and_day', 'must not be above per_day'],
  ])('is rejected if sponsored payments have a wrong setting: %j', (changes, place, rule) => {
    const network = sampleNetwork({ sponsored_payments: { ...SPONSORED, ...changes } });

    expectRefusal([network], `networks[0].sponsored_payments.${place}`, rule);
  });

  it.each<[object, string, string]>([
    [{ token: SAMPLE_TOKEN.replace('F', 'f') }, 'token', `${ADDRESS}, or the symbol of the native coin`],
    [{ token: 'usdt' }, 'token', `${ADDRESS}, or the symbol of the native coin`],
    [{ token: 'ETH', symbol: 'ETH' }, 'decimals', 'must be 18, the decimals of the native coin'],
    [{ token: `0x${'11'.repeat(20)}` }, 'token', 'repeats networks[0].assets[0].token'],
    [
      { agreement_above: '1' },
      'agreement_above',
      'requires at least two rpc_urls, so that endpoints can be compared',
    ],
    [{ symbol: 'A' }, 'symbol', 'repeats networks[0].assets[0].symbol'],
    [{ symbol: 'X'.repeat(17) }, 'symbol', SYMBOL],
    [{ symbol: 'УСДТ' }, 'symbol', SYMBOL],
    [{ symbol: 'MNT' }, 'symbol', 'must not be a currency code'],
    [{ decimals: 37 }, 'decimals', 'must be an integer from 0 to 36'],
    [{ peg: 'XAU' }, 'peg', 'must be the ISO 4217 code of a currency, like USD'],
    [{ minimum_amount: 0.01 }, 'minimum_amount', 'must be a string'],
    [{ minimum_amount: '0' }, 'minimum_amount', AMOUNT],
    [{ minimum_amount: '0.0000001' }, 'minimum_amount', AMOUNT],
  ])('is rejected if an asset has a wrong setting: %j', (changes, place, rule) => {
    const first = sampleAsset({ symbol: 'A', token: `0x${'11'.repeat(20)}` });

    expectRefusal(
      [sampleNetwork({ assets: [first, sampleAsset(changes)] })],
      `networks[0].assets[1].${place}`,
      rule,
    );
  });
});
