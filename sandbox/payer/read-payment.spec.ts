import { describe, expect, it } from '@jest/globals';
import { sandboxNetwork } from '../chain/sandbox-chain.js';
import { tronNetwork } from '../tron/tron-network.js';
import { readPayment, readTronPayment } from './read-payment.js';

const NETWORK = sandboxNetwork('http://127.0.0.1:1');
const ASSET = NETWORK.assets[0]!.unique_asset_id;
const GOOD = { unique_asset_id: ASSET, address: `0x${'Ab'.repeat(20)}`, amount: '12500000' };

const read = (payment: object) => readPayment(JSON.stringify(payment), NETWORK);

describe('A payment requested of the sandbox wallet', () => {
  it('names an asset it holds, the recipient, the amount and a time', () => {
    expect(read({ ...GOOD, unique_asset_id: ASSET.toLowerCase() })).toEqual({
      token: ASSET.split('_t')[1],
      to: `0x${'ab'.repeat(20)}`,
      amount: 12_500_000n,
    });
    expect(read({ ...GOOD, not_before: '2030-01-01T00:00:00.250Z' }).notBefore).toEqual(
      new Date('2030-01-01T00:00:00.250Z'),
    );
  });
  it.each([
    [
      { ...GOOD, unique_asset_id: `n${'erc20'}_t${'0x'.padEnd(42, '1')}` },
      /unique_asset_id must be one that/,
    ],
    [{ ...GOOD, address: '0x12' }, /address must be/],
    [{ ...GOOD, amount: '12.5' }, /amount must be a string of smallest units/],
    [{ ...GOOD, amount: '0' }, /amount must be a string of smallest units/],
    [{ ...GOOD, not_before: 'tomorrow' }, /not_before must be a time/],
  ])('is rejected if a field is invalid: %j', (payment, sentence) => {
    expect(() => read(payment)).toThrow(sentence);
  });

  it('names a TRON address for an asset of the TRON network', () => {
    const token = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    const tron = tronNetwork({ url: '', token, factory: '', payer: '' });
    const payment = { ...GOOD, unique_asset_id: tron.assets[0]!.unique_asset_id, address: token };
    const readTron = (changes: object) => readTronPayment(JSON.stringify({ ...payment, ...changes }), tron);
    const hex = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';

    expect(readTron({})).toEqual({ token: hex, to: hex, amount: 12_500_000n });
    expect(readTron({ unique_asset_id: ASSET })).toBeUndefined();
    expect(() => readTron({ address: hex })).toThrow('address must be a TRON address');
  });

  it('requires one JSON object', () => {
    for (const text of ['', '{', 'null', '7']) {
      expect(() => readPayment(text, NETWORK)).toThrow('A payment is one JSON object.');
    }
  });
});
