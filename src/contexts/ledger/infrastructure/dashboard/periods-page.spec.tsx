import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { periodsPage } from './periods-page.js';

describe('The page of monthly periods', () => {
  it('shows a line for each asset in flight, with its network', () => {
    const html = renderToString(
      periodsPage({
        visitor: OWNER,
        books: { first: '2030-01', firstOpen: '2030-01', lastClosed: null, now: OWNER.at },
        closed: [],
        inFlight: {
          arriving: 0,
          sending: 0,
          settling: ['polygon', 'base'].map((uniqueAssetId) => ({ uniqueAssetId, amount: 10n })),
        },
        nameOf: (network) => ({ symbol: 'USDC', decimals: 0, network }),
      }),
    );

    expect(html).toMatch(/ on polygon<\/span><\/div><div>.* on base<\/span><\/div>/);
  });
});
