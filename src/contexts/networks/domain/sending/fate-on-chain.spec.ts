import { describe, expect, it } from '@jest/globals';
import { type EndpointView, fateOnChain, isForeign, isLostAttempt } from './fate-on-chain.js';

const NONCE = 5;
const OURS = { hash: '0xaa', blockNumber: 9, succeeded: true, gasCost: 1n };
const REVERTED = { ...OURS, blockNumber: 8, succeeded: false };

function view(
  latestCount: number,
  finalNumber: number | null,
  receipt: EndpointView['receipt'] = null,
): EndpointView {
  return { latestCount, finalNumber, receipt };
}

describe('What has become of a nonce', () => {
  it.each<[string, (EndpointView | null)[], string]>([
    ['nothing, where no endpoint answers', [null, null], 'none'],
    ['nothing, where it is in no block', [view(5, 9)], 'none'],
    ['mined, by a receipt in a block that is not final', [view(6, 8, OURS)], 'mined'],
    ['mined, where no block is final yet', [view(6, null, OURS)], 'mined'],
    ['mined, by the receipt of one of two endpoints', [view(5, 8), view(6, 8, OURS)], 'mined'],
    ['final, by a receipt in a final block', [view(6, 9, OURS)], 'final'],
    ['final, though another endpoint lags', [view(6, 9, OURS), view(5, 8)], 'final'],
    ['mined only, where another final chain lacks the receipt', [view(6, 9, OURS), view(6, 9)], 'mined'],
    ['final, though a fork shows another outcome', [view(6, 7, REVERTED), view(6, 9, OURS)], 'final'],
    ['mined only, where final chains show two outcomes', [view(6, 9, OURS), view(6, 9, REVERTED)], 'mined'],
    ['used, where it is counted and no attempt has a receipt', [view(6, 9)], 'used'],
    ['nothing, while one endpoint does not answer', [view(6, 9), null], 'none'],
    ['nothing, while one endpoint does not count it', [view(6, 9), view(5, 9)], 'none'],
    ['nothing, where there is no endpoint', [], 'none'],
  ])('is %s', (_, views, kind) => {
    expect(fateOnChain(NONCE, views).kind).toBe(kind);
  });

  it('is by the final chain’s receipt, whichever endpoint is asked first', () => {
    const views = [view(6, 7, REVERTED), view(6, 9, OURS)];

    expect(fateOnChain(NONCE, views)).toEqual({ kind: 'final', receipt: OURS });
  });
});

const use = (hash: string) => ({ hash, blockNumber: 9, signed: null });

describe('A nonce', () => {
  it('is another’s only by a transaction that is none of ours', () => {
    expect(isForeign(use('0xbb'), ['0xaa'])).toBe(true);
    expect(isForeign(use('0xaa'), ['0xaa'])).toBe(false);
    expect(isForeign(null, ['0xaa'])).toBe(false);
  });

  it.each([
    ['the same call at another price and gas limit', { gasLimit: 2n }, true],
    ['another recipient', { to: '0x02' }, false],
    ['another value', { value: 2n }, false],
    ['other data', { data: '0x02' }, false],
  ])('is that of a lost attempt by %s: %p is %p', (_, changes, isOurs) => {
    const call = { to: '0x01', value: 1n, data: '0x01', gasLimit: 1n };
    const signed = { call: { ...call, ...changes }, fees: { maxFee: 9n, priorityFee: 1n }, raw: '0x' };

    expect(isLostAttempt({ ...use('0xbb'), signed }, call)).toBe(isOurs);
    expect(isLostAttempt(use('0xbb'), call)).toBe(false);
  });
});
