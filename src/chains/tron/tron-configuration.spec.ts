import { describe, expect, it } from '@jest/globals';
import { parseNetworksConfiguration } from '#contexts/networks/infrastructure/configuration/parse-networks-configuration.js';
import { USDT, tronNetwork } from './testing/tron-layer.js';

const parse = (changes: object = {}) => parseNetworksConfiguration([tronNetwork(changes)])[0]!;
const withToken = (changes: object) => ({
  assets: [{ token: USDT, symbol: 'USDT', name: 'Tether USD', decimals: 6, minimum_amount: '1', ...changes }],
});

describe('The configuration of a TRON network', () => {
  it('has the asset id of the NASPIP list, solid blocks and the prefix of TRON', () => {
    const { assets, blockSeconds, contracts, ...network } = parse();

    expect(assets[0]).toMatchObject({ uniqueAssetId: `ntrc20_t${USDT}`, token: USDT, decimals: 6 });
    expect(network).toMatchObject({
      finality: { kind: 'finalized', typicalConfirmations: 19 },
      ...{ create2Prefix: 0x41, deliversDirectly: false },
    });
    expect(blockSeconds).toBe(3);
    expect(contracts).toEqual(['TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR', expect.stringMatching(/^T\w{33}$/)]);
  });

  it('derives another implementation for an EVM behind TRON’s API', () => {
    expect(parse({ create2_prefix: '0xff' }).contracts[1]).not.toBe(parse().contracts[1]);
  });

  it.each([
    [
      'a factory in hex',
      { factory: '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c' },
      'factory: must be a TRON address',
    ],
    [
      'a token in hex',
      withToken({ token: '0xdAC17F958D2ee523a2206206994597C13D831ec7' }),
      'token: must be a TRON',
    ],
    ['a wrong checksum', withToken({ token: `${USDT.slice(0, -1)}u` }), 'token: must be a TRON address'],
    [
      'the native coin',
      withToken({ token: 'TRX', symbol: 'TRX' }),
      'assets[0].token: must be a TRC-20 token',
    ],
    ['confirmations', { finality: { confirmations: 19 } }, 'finality: must be "finalized"'],
    [
      'sponsored payments',
      { sponsored_payments: { per_payment: '1', per_organization_and_day: '1', per_day: '1' } },
      'sponsored_payments: must be omitted',
    ],
    ['a fee limit that nodes refuse', { fee_limit_trx: 15_001 }, 'fee_limit_trx: must be'],
    ['another prefix', { create2_prefix: '0x42' }, 'create2_prefix: must be "0x41" or "0xff"'],
    [
      'a setting of EVM networks',
      { wallet_rpc_url: 'https://a.example' },
      'wallet_rpc_url: is not a known setting',
    ],
  ])('rejects %s', (_, changes, error) => {
    expect(() => parse(changes)).toThrow(error);
  });
});
