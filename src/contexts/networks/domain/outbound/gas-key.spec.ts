import { describe, expect, it } from '@jest/globals';
import { isGasBalanceLow, senderAccountRefusal, senderBalanceRefusal } from './gas-key.js';

const plain = { latestCount: 0, mostCount: 0, balance: 100n, code: '0x' };

describe('The account of a sending key', () => {
  it('is refused if it has code or a delegation', () => {
    expect(senderAccountRefusal('0xab', plain)).toBeNull();
    expect(senderAccountRefusal('0xab', { ...plain, code: '0x6001' })?.message).toContain('0xab has code.');
    expect(senderAccountRefusal('0xab', { ...plain, code: '0xef010012' })?.message).toContain(
      'EIP-7702: 0x12',
    );
  });

  it('is low if it can no longer pay for a large settlement', () => {
    expect(isGasBalanceLow({ ...plain, balance: 12_000_050n }, 50n, 2n)).toBe(false);
    expect(isGasBalanceLow({ ...plain, balance: 12_000_049n }, 50n, 2n)).toBe(true);
  });

  it('requires what the call and all unfinished ones may cost', () => {
    expect(senderBalanceRefusal('0xab', plain, { call: 70n, unfinished: 30n })).toBeNull();
    expect(senderBalanceRefusal('0xab', plain, { call: 70n, unfinished: 31n })?.message).toBe(
      '0xab holds 100 wei, but up to 70 wei are needed, and 31 wei for unfinished outbound transactions. Send at least 1 wei to it. Nothing was sent.',
    );
    expect(senderBalanceRefusal('0xab', plain, { call: 101n, unfinished: 0n })?.message).toContain(
      'up to 101 wei are needed. Send',
    );
  });
});
