import { describe, expect, it } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import { DayChart } from './day-chart.js';
import { barHeightOf, shortNumber, axisTicksUpTo } from './scale.js';

describe('The scale of a chart', () => {
  it.each([
    [0n, [0n]],
    [7n, [0n, 2n, 4n, 6n, 8n]],
    [100n, [0n, 50n, 100n]],
    [101n, [0n, 50n, 100n, 150n]],
    [3n * 10n ** 60n, [0n, 10n ** 60n, 2n * 10n ** 60n, 3n * 10n ** 60n]],
  ])('reaches the highest value in equal round steps: %s', (highest, ticks) => {
    expect(axisTicksUpTo(highest)).toEqual(ticks);
  });

  it('abbreviates large numbers', () => {
    expect(['0', '0.5', '950', '1500', '20000', '2500000', '1250000000'].map(shortNumber)).toEqual([
      ...['0', '0.5', '950', '1.5k', '20k', '2.5M', '1.25G'],
    ]);
  });

  it('shows the smallest bar, and no bar for zero', () => {
    expect([0n, 1n, 500_000n, 1_000_000n].map((value) => barHeightOf(value, 1_000_000n))).toEqual([
      0, 8, 500, 1000,
    ]);
  });
});

describe('A chart by day', () => {
  const days = ['2026-02-28', '2026-03-01'];

  it('has both axes, a legend, and the values of each day as tooltip and table', () => {
    const html = renderToString(
      <DayChart
        label={{ name: 'Created by day' }}
        days={days}
        values={[4n, 0n]}
        parts={[1n, 0n]}
        before={[2n, 2n]}
        legend={{ values: 'Created', parts: 'Paid', before: { name: 'Before' } }}
        tick={String}
        exact={(value) => `${value} & more`}
      />,
    );

    expect(html.replaceAll(/<[^>]+>/g, '|').replaceAll(/\|+/g, '|')).toBe(
      '|Created|Paid|Before|0|1|2|3|4' +
        '|28 Feb: Created 4 &amp; more, Paid 1 &amp; more, Before 2 &amp; more|1 Mar: Created 0 &amp; more, Paid 0 &amp; more, Before 2 &amp; more|28 Feb|1 Mar' +
        '|By day|Day|Created|Paid|Before|1 Mar|0 &amp; more|0 &amp; more|2 &amp; more|28 Feb|4 &amp; more|1 &amp; more|2 &amp; more|',
    );
    expect(html).toContain('<path class="whole" d="M3 1000V0h14V1000z"');
    expect(html).toContain('<path class="part" d="M3 1000V750h14V1000z"');
    expect(html).toContain('<path class="before" d="M0 500H20V500H40"');
    expect(html).not.toContain('style=');
  });
});
