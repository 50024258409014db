import { describe, expect, it } from '@jest/globals';
import { readPayArguments } from './pay-arguments.js';

describe('The arguments of npm run pay', () => {
  it('are what to pay, and how', () => {
    expect(readPayArguments([' naspip;a;b;c '])).toEqual({ what: 'naspip;a;b;c', parts: 1 });
    expect(readPayArguments(['x', '--amount', '9', '--split', '2', '--asset', 'USDT'])).toEqual({
      what: 'x',
      amount: '9',
      parts: 2,
      asset: 'USDT',
    });
  });

  it('are also with what, by what and when', () => {
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

  it('are also the way to pay', () => {
    expect(readPayArguments(['x', '--by', 'x402', '--asset', 'USDT'])).toEqual({
      what: 'x',
      parts: 1,
      by: 'x402',
      asset: 'USDT',
    });
  });

  it('are also how it is sent in bitcoin', () => {
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
    [['x', '--replace', 'away'], /--replace must be one of elsewhere, same, not away/],
    [['x', '--outputs', '2', '--split', '2'], /use one of them/],
    [['x', '--outputs', '1'], /--outputs must be a whole number from 2 to 20/],
    [['x', '--fee', '0'], /--fee must be a whole number from 1 to 500/],
    [['x', '--by', 'x402', '--fee', '2'], /omit --fee/],
    [['x', '--by', 'cash'], /--by must be one of bitcoin, signature, x402, button, not cash/],
    [
      ['x', '--by', 'signature', '--amount', '1'],
      /--by signature pays the exact amount immediately: omit --amount/,
    ],
    [['x', '--by', 'button', '--from-contract'], /omit --from-contract/],
    [[], /npm run pay --/],
    [['naspip', 'sandbox.example'], /Quote a token/],
    [['x', '--split', '0'], /whole number from 1 to 20, not 0/],
    [['x', '--split', '21'], /whole number from 1 to 20, not 21/],
    [['x', '--asset'], /npm run pay --/],
    [['x', '--coin', 'USDC'], /npm run pay --/],
    [['x', '--after', '0'], /--after must be a whole number from 1 to 86400, not 0/],
    [['x', '--after', '1e3'], /--after must be a whole number from 1 to 86400, not 1e3/],
    [['x', '--after', '86401'], /--after must be a whole number from 1 to 86400/],
    [['x', '--native', '--asset', 'ETH'], /--native names .* --asset: use one/],
    [['x', '--native=yes'], /npm run pay --/],
  ])('%j are refused with a sentence', (args, sentence) => {
    expect(() => readPayArguments(args)).toThrow(sentence);
  });
});
