import { describe, expect, it } from '@jest/globals';
import { readPayArguments } from './pay-arguments.js';

describe('The parser of the arguments of npm run pay', () => {
  it('reads what to pay, in which asset and in how many parts', () => {
    expect(readPayArguments([' naspip;a;b;c '])).toEqual({ what: 'naspip;a;b;c', parts: 1 });
    expect(readPayArguments(['x', '--amount', '9', '--split', '2', '--asset', 'USDT'])).toEqual({
      what: 'x',
      amount: '9',
      parts: 2,
      asset: 'USDT',
    });
  });

  it('reads the native coin, the contract call and the delay', () => {
    expect(
      readPayArguments(['x', '--native', '--amount', '0.1', '--from-contract', '--after', '600']),
    ).toEqual({
      what: 'x',
      amount: '0.1',
      parts: 1,
      native: true,
      fromContract: true,
      afterSeconds: 600,
    });
  });

  it('reads how to send bitcoin', () => {
    expect(readPayArguments(['x', '--by', 'bitcoin', '--fee', '1', '--replace', 'same'])).toEqual({
      what: 'x',
      parts: 1,
      asset: 'BTC',
      bitcoin: { feeRate: 1, replace: 'same' },
    });
    expect(readPayArguments(['x', '--outputs', '3'])).toEqual({
      what: 'x',
      parts: 3,
      bitcoin: { together: true },
    });
  });

  it.each([
    [['x', '--by', 'bitcoin', '--asset', 'USDC'], /--by bitcoin pays in BTC, and --asset names USDC/],
    [['x', '--outputs', '2', '--split', '2'], /use one of them/],
    [['x', '--fee', '0'], /--fee must be a whole number from 1 to 500/],
    [['x', '--by', 'cash'], /--by must be one of bitcoin, signature, x402, button, not cash/],
    [[], /npm run pay --/],
    [['naspip', 'sandbox.example'], /Quote a token/],
    [['x', '--split', '21'], /whole number from 1 to 20, not 21/],
    [['x', '--after', '1e3'], /--after must be a whole number from 1 to 86400, not 1e3/],
    [['x', '--after', '86401'], /--after must be a whole number from 1 to 86400/],
    [['x', '--native', '--asset', 'ETH'], /--native names .* --asset: use one/],
  ])('rejects invalid arguments: %j', (args, sentence) => {
    expect(() => readPayArguments(args)).toThrow(sentence);
  });
});
