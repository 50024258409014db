import { renderToString } from 'preact-render-to-string';
import { expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { overviewPage } from './overview-page.js';
import { overviewOf } from './overview.js';

it('The overview leads from a number to the payments of its days, and says what it does not follow', () => {
  const figures = [
    { day: '2026-03-01', figure: 'requests', part: 'expired', number: 2, amount: 0n },
  ] as const;
  const overview = overviewOf(figures, ['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01']);
  const shown = (query: object) =>
    renderToString(
      overviewPage({
        ...{ visitor: OWNER, span: 7, query, overview, money: [], attention: [] },
        counted: { complete: true, uncountedSince: null },
        networkName: (network) => network,
        assetOf: () => undefined,
      }),
    );

  expect(shown({})).toContain('/app/payments?status=expired&amp;from=2026-02-28&amp;to=2026-03-01"');
  expect(shown({ days: 'x', currency: 'GOLD' })).toMatch(/days must be 7 or 30.*received in GOLD/);
  expect(shown({ days: '7', currency: '' })).not.toMatch(/must be|Nothing was received in/);
});
