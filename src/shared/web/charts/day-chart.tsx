import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { LANGUAGE_CONTEXT, t, useTranslator, type DisplayText } from '../dashboard/words/text.js';
import { dayLabels, daysBetweenLabels, formatDay, barHeightOf, axisTicksUpTo } from './scale.js';

interface DayChartProps {
  /** Describes the chart to screen readers. The table below the chart contains the numbers. */
  readonly label: DisplayText;
  /** Days in the form YYYY-MM-DD, oldest first. */
  readonly days: readonly string[];
  /** Height of the bar of each day. */
  readonly values: readonly bigint[];
  /** Height of the differently coloured lower part of each bar, at most the bar's value. */
  readonly parts?: readonly bigint[];
  /** Values of the previous period, drawn as a line unless all are zero. */
  readonly before?: readonly bigint[];
  readonly legend: {
    readonly values: DisplayText;
    readonly parts?: DisplayText;
    readonly before?: DisplayText;
  };
  /** Formats a value for the vertical axis. */
  readonly tick: (value: bigint) => string;
  /** Formats an exact value, for tooltips and the table. */
  readonly exact: (value: bigint) => string;
}

/** Height of the chart in SVG units. The style sheet repeats it as the size of the tooltip areas. */
const CHART_HEIGHT = 1000;
const DAY_WIDTH = 20;
const BAR_GAP = 3;

/**
 * Labels are text next to the stretched drawing, so that they stay readable on a phone. Positions are SVG attributes,
 * because the content security policy forbids inline styles.
 */
export function DayChart({
  label,
  days,
  values,
  parts,
  before: earlier,
  legend,
  tick,
  exact,
}: DayChartProps): VNode {
  const words = useTranslator();
  const language = useContext(LANGUAGE_CONTEXT);
  const before = earlier?.some((value) => value !== 0n) ? earlier : undefined;
  const series = [
    { kind: parts === undefined ? 'part' : 'whole', name: words(legend.values), of: values },
    ...(parts && legend.parts ? [{ kind: 'part', name: words(legend.parts), of: parts }] : []),
    ...(before && legend.before ? [{ kind: 'before', name: words(legend.before), of: before }] : []),
  ];
  const places = [...days.keys()];
  const active = places.filter((place) => series.some(({ of }) => of[place] !== 0n)).toReversed();
  const daysPerLabel = daysBetweenLabels(days.length);
  const labelled = days.filter((_, place) => place % daysPerLabel === Math.floor(daysPerLabel / 2));
  const highest = [...values, ...(before ?? [])].reduce((most, value) => (value > most ? value : most), 0n);
  const ticks = axisTicksUpTo(highest);
  const top = ticks.at(-1)!;
  const width = days.length * DAY_WIDTH;
  const drawn = (of: readonly bigint[]) =>
    of.map((value, place) => [place * DAY_WIDTH, CHART_HEIGHT - barHeightOf(value, top)] as const);
  const bars = (of: readonly bigint[]) =>
    drawn(of)
      .filter(([, y]) => y < CHART_HEIGHT)
      .map(([x, y]) => `M${x + BAR_GAP} ${CHART_HEIGHT}V${y}h${DAY_WIDTH - 2 * BAR_GAP}V${CHART_HEIGHT}z`)
      .join('');
  const line = (of: readonly bigint[]) =>
    drawn(of)
      .map(([x, y], place) => `${place === 0 ? 'M0 ' : 'V'}${y}H${x + DAY_WIDTH}`)
      .join('');
  return (
    <figure class="chart">
      <figcaption>
        {series.map(({ kind, name }) => (
          <span class={`key ${kind}`}>{name}</span>
        ))}
      </figcaption>
      <div class="ticks" aria-hidden="true">
        {ticks.map((value) => (
          <span>{tick(value)}</span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={words(label)}
        viewBox={`0 0 ${width} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
      >
        <path
          class="grid"
          d={ticks.map((value) => `M0 ${CHART_HEIGHT - barHeightOf(value, top)}H${width}`).join('')}
        />
        <path class={parts === undefined ? 'part' : 'whole'} d={bars(values)} />
        {parts !== undefined && <path class="part" d={bars(parts)} />}
        {before !== undefined && <path class="before" d={line(before)} />}
        {places.map((place) => (
          <rect x={place * DAY_WIDTH}>
            <title>
              {`${formatDay(days[place]!, language)}: ${series.map(({ name, of }) => `${name} ${exact(of[place]!)}`).join(', ')}`}
            </title>
          </rect>
        ))}
      </svg>
      <div class="days" aria-hidden="true">
        {dayLabels(labelled, language).map((day) => (
          <span>{day}</span>
        ))}
      </div>
      {active.length > 0 && (
        <details>
          <summary>{t('By day')}</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Day')}</th>
                {series.map(({ name }) => (
                  <th scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {active.map((place) => (
                <tr>
                  <td>{formatDay(days[place]!, language)}</td>
                  {series.map(({ of }) => (
                    <td class="number">{exact(of[place]!)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </figure>
  );
}
