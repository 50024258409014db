import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import type { AccountId } from '#shared/kernel/ids.js';
import { OWNER } from '#test/support/page-visitor.js';
import { closePeriodPage } from './close-period-page.js';

const STATEMENT = {
  ...{ accountId: 'a1' as AccountId, uniqueAssetId: 'usdc', currency: 'USDC', decimals: 2 },
  ...{ opening: 0n, collected: 1_250n, fees: -5n, refunds: 0n, settled: -1_000n, other: 0n, closing: 245n },
};

describe('The page that closes a month', () => {
  it('explains the statements and shows the funds in flight by network before it asks', () => {
    const html = renderToString(
      closePeriodPage({
        visitor: OWNER,
        period: '2030-01',
        statements: [STATEMENT],
        names: new Map([['a1', 'Main']]),
        inFlight: {
          arriving: 0,
          sending: 0,
          settling: ['polygon', 'base'].map((uniqueAssetId) => ({ uniqueAssetId, amount: 10n })),
        },
        nameOf: (network) => ({ symbol: 'USDC', decimals: 0, network }),
      }),
    );

    expect(html.replaceAll(/<[^>]+>/g, '')).toMatch(/12\.50.*-10\.00.*2\.45/);
    expect(html).toMatch(/ on polygon<\/span><\/div><div>.* on base<\/span><\/div>/);
    expect(html).toContain('The closing balance is the sum of the other columns.');
    expect(html).toContain('<input type="hidden" name="period" value="2030-01"');
  });
});
