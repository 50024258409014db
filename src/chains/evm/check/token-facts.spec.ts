import { describe, expect, it } from '@jest/globals';
import type { Asset } from '#shared/kernel/asset.js';
import { type TokenFacts, type TransferTestResult, tokenFindings } from './token-facts.js';

const asset: Asset = {
  uniqueAssetId: 'nsandbox_t0x22',
  network: 'sandbox',
  token: '0x22',
  symbol: 'USDT',
  name: 'Test Dollar',
  decimals: 6,
  minimumAmount: 1n,
};
const trial = (changes: Partial<TransferTestResult> = {}): TransferTestResult => ({
  moved: true,
  amount: 2_000_000n,
  sent: 2_000_000n,
  arrived: 2_000_000n,
  ...changes,
});
const well: TokenFacts = {
  hasCode: true,
  decimals: 6,
  symbol: 'USDT',
  transfers: { answer: [trial()] },
  balance: { answer: { now: 5n, later: 5n } },
};
const judged = (changes: Partial<TokenFacts>) =>
  tokenFindings(asset, { ...well, ...changes }).filter(({ verdict }) => verdict !== 'ok');

describe('Judging a token', () => {
  it.each<[string, Partial<TokenFacts>, object]>([
    [
      'less arrives',
      { transfers: { answer: [trial({ arrived: 1_999_999n })] } },
      { check: 'transfer', verdict: 'wrong' },
    ],
    [
      'more leaves',
      { transfers: { answer: [trial({ sent: 2_000_001n })] } },
      { check: 'transfer', verdict: 'wrong' },
    ],
    [
      'nobody can transfer',
      { transfers: { answer: [trial({ moved: false })] } },
      { check: 'transfer', verdict: 'wrong' },
    ],
    [
      'so little was transferred that a share of it rounds to nothing',
      { transfers: { answer: [trial({ amount: 9_999n, sent: 9_999n, arrived: 9_999n })] } },
      { check: 'transfer', verdict: 'warning' },
    ],
    ['no holder is known', { transfers: { answer: [] } }, { check: 'transfer', verdict: 'warning' }],
    [
      'no transfer was simulated',
      { transfers: { refused: 'no' } },
      { check: 'transfer', verdict: 'warning' },
    ],
    [
      'a balance shrinks',
      { balance: { answer: { now: 5n, later: 4n } } },
      { check: 'balance', verdict: 'wrong' },
    ],
    [
      'a balance grows',
      { balance: { answer: { now: 5n, later: 6n } } },
      { check: 'balance', verdict: 'wrong' },
    ],
    ['decimals differ', { decimals: 18 }, { check: 'decimals', verdict: 'wrong' }],
    [
      'no later balance was simulated',
      { balance: { refused: 'no' } },
      { check: 'balance', verdict: 'warning' },
    ],
    ['it tells no symbol', { symbol: null }, { check: 'symbol', verdict: 'warning' }],
    ['it differs in case alone', { symbol: 'usdt' }, { check: 'symbol', verdict: 'warning' }],
  ])('finds a problem, and says what to do: %s', (_, changes, finding) => {
    expect(judged(changes)).toEqual([
      expect.objectContaining({ ...finding, about: 'USDT', todo: expect.any(String) }),
    ]);
  });

  it('does not mistake a holder that cannot transfer for a fee on transfers', () => {
    expect(
      judged({ transfers: { answer: [trial({ moved: false, sent: 0n, arrived: 0n }), trial()] } }),
    ).toEqual([]);
    const enough = trial({ amount: 10_000n, sent: 10_000n, arrived: 10_000n });
    const little = trial({ amount: 1n, sent: 1n, arrived: 1n });
    expect(judged({ transfers: { answer: [enough, little] } })).toEqual([]);
  });

  it('says nothing more about an address that is not a token', () => {
    expect(judged({ hasCode: false, decimals: null })).toMatchObject([
      { check: 'contract', verdict: 'wrong', says: 'There is no contract at 0x22.' },
    ]);
    expect(tokenFindings(asset, { ...well, decimals: null })).toHaveLength(1);
  });
});
