import { describe, expect, it } from '@jest/globals';
import { NATIVE_COIN } from '../chain/payer-contract.js';
import { sandboxNetwork } from '../chain/sandbox-chain.js';
import { readPayment } from './read-payment.js';

const NETWORK = sandboxNetwork('http://127.0.0.1:1');
const ASSET = NETWORK.assets[0]!.unique_asset_id;
const GOOD = { unique_asset_id: ASSET, address: `0x${'Ab'.repeat(20)}`, amount: '12500000' };

const read = (payment: object) => readPayment(JSON.stringify(payment), NETWORK);

describe('A payment that the sandbox wallet is asked for', () => {
  it('names an asset it holds, where to, how much and perhaps from when', () => {
    expect(read({ ...GOOD, unique_asset_id: ASSET.toLowerCase() })).toEqual({
      token: ASSET.split('_t')[1],
      to: `0x${'ab'.repeat(20)}`,
      amount: 12_500_000n,
    });
    expect(read({ ...GOOD, not_before: '2030-01-01T00:00:00.250Z' }).notBefore).toEqual(
      new Date('2030-01-01T00:00:00.250Z'),
    );
  });

  it('may be in the native coin', () => {
    const { unique_asset_id } = NETWORK.assets.at(-1)!;

    expect(unique_asset_id).toBe('nsandbox_tETH');
    expect(read({ ...GOOD, unique_asset_id, amount: '1' })).toMatchObject({ token: NATIVE_COIN, amount: 1n });
  });

  it.each([
    [
      { ...GOOD, unique_asset_id: `n${'erc20'}_t${'0x'.padEnd(42, '1')}` },
      /unique_asset_id must be one that/,
    ],
    [{ ...GOOD, unique_asset_id: undefined }, /unique_asset_id must be one that/],
    [{ ...GOOD, address: '0x12' }, /address must be/],
    [{ ...GOOD, amount: 12_500_000 }, /amount must be a string of smallest units/],
    [{ ...GOOD, amount: '12.5' }, /amount must be a string of smallest units/],
    [{ ...GOOD, amount: '0' }, /amount must be a string of smallest units/],
    [{ ...GOOD, amount: '9'.repeat(78) }, /amount must be a string of smallest units/],
    [{ ...GOOD, not_before: 'tomorrow' }, /not_before must be a time/],
    [{ ...GOOD, not_before: 1_893_456_000 }, /not_before must be a time/],
    [[], /unique_asset_id must be one that/],
  ])('is refused with a sentence: %j', (payment, sentence) => {
    expect(() => read(payment)).toThrow(sentence);
  });

  it('is one JSON object', () => {
    for (const text of ['', '{', 'null', '7']) {
      expect(() => readPayment(text, NETWORK)).toThrow('A payment is one JSON object.');
    }
  });
});
