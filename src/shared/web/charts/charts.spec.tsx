import { describe, expect, it } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import { DayChart } from './day-chart.js';
import { dayLabels, daysBetweenLabels, heightOf, shortNumber, ticksUpTo } from './scale.js';

describe('The scale of a chart', () => {
  it.each([
    [0n, [0n]],
    [1n, [0n, 1n]],
    [7n, [0n, 2n, 4n, 6n, 8n]],
    [100n, [0n, 50n, 100n]],
    [101n, [0n, 50n, 100n, 150n]],
    [3n * 10n ** 60n, [0n, 10n ** 60n, 2n * 10n ** 60n, 3n * 10n ** 60n]],
  ])('reaches %s in equal round steps', (highest, ticks) => {
    expect(ticksUpTo(highest)).toEqual(ticks);
  });

  it('writes large numbers short', () => {
    expect(['0', '0.5', '950', '1500', '20000', '2500000', '1250000000'].map(shortNumber)).toEqual([
      ...['0', '0.5', '950', '1.5k', '20k', '2.5M', '1.25G'],
    ]);
  });

  it('shows the smallest of bars, and none of nothing', () => {
    expect([0n, 1n, 500_000n, 1_000_000n].map((value) => heightOf(value, 1_000_000n))).toEqual([
      0, 8, 500, 1000,
    ]);
  });

  it('labels days at equal distances', () => {
    expect([7, 30, 90, 1].map(daysBetweenLabels)).toEqual([1, 5, 15, 1]);
    expect(dayLabels(['2026-11-27', '2026-11-30', '2026-12-03'], 'en')).toEqual(['27 Nov', '30', '3 Dec']);
  });
});

describe('A chart by day', () => {
  const days = ['2026-02-28', '2026-03-01'];

  it('has both axes, a legend, and each day in words', () => {
    const html = renderToString(
      <DayChart
        label={{ name: 'Created by day' }}
        days={days}
        values={[4n, 0n]}
        parts={[1n, 0n]}
        before={[2n, 2n]}
        legend={{ values: 'Created', parts: 'Paid', before: { name: 'Before' } }}
        tick={String}
        dayText={(place) => ({ name: `${days[place]} & more` })}
      />,
    );

    expect(html.replaceAll(/<[^>]+>/g, '|').replaceAll(/\|+/g, '|')).toBe(
      '|Created|Paid|Before|0|1|2|3|4|2026-02-28 &amp; more|2026-03-01 &amp; more|28 Feb|1 Mar|',
    );
    expect(html).toContain('<path class="whole" d="M3 1000V0h14V1000z"');
    expect(html).toContain('<path class="part" d="M3 1000V750h14V1000z"');
    expect(html).toContain('<path class="before" d="M0 500H20V500H40"');
    expect(html).not.toContain('style=');
  });

  it('draws nothing of nothing', () => {
    const html = renderToString(
      <DayChart
        label={{ name: '' }}
        days={days}
        values={[0n, 0n]}
        legend={{ values: { name: '' } }}
        tick={String}
        dayText={() => ({ name: '' })}
      />,
    );

    expect(html).toContain('<path class="part" d></path>');
  });
});
