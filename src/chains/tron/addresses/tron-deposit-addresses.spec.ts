import { describe, expect, it } from '@jest/globals';
import { WALLET, tronLayer } from '../testing/tron-layer.js';

const PAYER = 'TSUUVjysXV8YqHytSNjfkNXnnB49QDvZpx';
const TERMS = { settlementAddress: WALLET, feeRecipient: PAYER, feeBasisPoints: 100 };
const REQUEST = { requestId: '51525354-5556-4758-995a-5b5c5d5e5f60' };

describe('A deposit address on TRON', () => {
  it('is shown alone in a QR code, and opened by a link without an amount, which wallets read as TRX', () => {
    const { depositAddresses, configuration } = tronLayer({});
    const derived = depositAddresses.derive(TERMS, REQUEST);

    expect(depositAddresses.transferUri(configuration.assets[0]!, derived, 5n)).toEqual({
      ...{ uri: `tron:${derived.address}`, code: derived.address },
    });
    expect(derived.address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
  });

  it('is of the prefix, the factory and the chain', () => {
    const addresses = [{}, { create2_prefix: '0xff' }, { factory: WALLET }, { chain_id: 728_126_428 }].map(
      (changes) => tronLayer(changes).depositAddresses.derive(TERMS, REQUEST).address,
    );

    expect(new Set(addresses).size).toBe(4);
  });

  it('is derived again only for the same factory and chain', () => {
    const { depositAddresses } = tronLayer({});
    const { address, derivation } = depositAddresses.derive(TERMS, REQUEST);
    const again = (changes: object) =>
      depositAddresses.rederive(TERMS, REQUEST, { ...derivation, ...changes });

    expect(again({})).toEqual({ address });
    expect([again({ factory: WALLET }), again({ homeChainId: 1 })]).toEqual([null, null]);
  });

  it('is not given while the network takes no requests', () => {
    const { depositAddresses, readiness } = tronLayer({});
    readiness.set('trc20', { kind: 'unverified' } as never);

    expect(() => depositAddresses.derive(TERMS, REQUEST)).toThrow('temporarily unavailable');
  });
});

describe('A payout address on TRON', () => {
  const { payoutAddresses, configuration } = tronLayer({});
  const parse = (text: string) => payoutAddresses.parse('settlement_address', text);

  it('is a Base58Check address', () => {
    expect(parse(WALLET)).toBe(WALLET);
  });

  it.each([
    ['in hex', '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c', 'must be a TRON address in Base58Check'],
    ['with a wrong checksum', `${WALLET.slice(0, -1)}y`, 'must be a TRON address in Base58Check'],
    ['of Bitcoin', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', 'must be a TRON address in Base58Check'],
    ['that is zero', payoutAddresses.placeholderFeeRecipient(), 'must be an address that you control'],
    ['of the factory', configuration.contracts[0]!, 'is a contract of the deposit addresses'],
    ['of the implementation', configuration.contracts[1]!, 'is a contract of the deposit addresses'],
  ])('is rejected %s', (_, text, error) => {
    expect(() => parse(text)).toThrow(`settlement_address: ${error}`);
  });
});
