import { describe, expect, it } from '@jest/globals';
import { type EndpointView, fateOnChain } from './fate-on-chain.js';

const NONCE = 5;
const OURS = { hash: '0xaa', blockNumber: 9, succeeded: true, gasCost: 1n };
const REVERTED = { ...OURS, blockNumber: 8, succeeded: false };

function view(
  latestCount: number,
  finalCount: number,
  receipt: EndpointView['receipt'] = null,
): EndpointView {
  return { latestCount, finalCount, receipt };
}

describe('What has become of a nonce', () => {
  it.each<[string, (EndpointView | null)[], string]>([
    ['nothing, where no endpoint answers', [null, null], 'none'],
    ['nothing, where it is in no block', [view(5, 5)], 'none'],
    ['mined, by a receipt in a block that is not final', [view(6, 5, OURS)], 'mined'],
    ['mined, by the receipt of one of two endpoints', [view(5, 5), view(6, 5, OURS)], 'mined'],
    ['final, by a receipt below the final block', [view(6, 6, OURS)], 'final'],
    ['final, though another endpoint lags', [view(6, 6, OURS), view(5, 5)], 'final'],
    ['mined only, where another final chain lacks the receipt', [view(6, 6, OURS), view(6, 6)], 'mined'],
    ['final, though a fork shows another outcome', [view(6, 5, REVERTED), view(6, 6, OURS)], 'final'],
    ['mined only, where final chains show two outcomes', [view(6, 6, OURS), view(6, 6, REVERTED)], 'mined'],
    ['nothing yet, where another used it in a block that is not final', [view(6, 5)], 'none'],
    ['foreign, where the final count is above it and no attempt has a receipt', [view(7, 6)], 'foreign'],
    ['not foreign while one endpoint does not answer', [view(7, 6), null], 'none'],
    ['not foreign while one endpoint has not got so far', [view(7, 6), view(6, 5)], 'none'],
    ['not foreign, where there is no endpoint', [], 'none'],
  ])('is %s', (_, views, kind) => {
    expect(fateOnChain(NONCE, views).kind).toBe(kind);
  });

  it('is by the final chain’s receipt, whichever endpoint is asked first', () => {
    const views = [view(6, 5, REVERTED), view(6, 6, OURS)];

    expect(fateOnChain(NONCE, views)).toEqual({ kind: 'final', receipt: OURS });
  });
});
