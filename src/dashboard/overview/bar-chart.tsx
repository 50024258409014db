import type { VNode } from 'preact';
import { heightsOf } from './overview.js';

interface BarChartProps {
  /** Describes the bars for people who do not see them; the table beside it has the numbers. */
  readonly label: string;
  readonly values: readonly bigint[];
  /** The lower part of each bar, at most its value. */
  readonly parts?: readonly bigint[];
  readonly small?: boolean;
}

const STEP = 10;
const WIDTH = 8;
const HEIGHT = 1000;

/** Bars from left to right, scaled by attributes alone: the page's policy lets in no styles. */
export function BarChart({ label, values, parts, small = false }: BarChartProps): VNode {
  const heights = heightsOf(values);
  return (
    <svg
      class={small ? 'chart small' : 'chart'}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {heights.map((height, place) => (
        <Bar place={place} height={height} of={parts === undefined ? 'part' : 'whole'} />
      ))}
      {parts?.map((part, place) => (
        <Bar place={place} height={shareOf(part, values[place]!, heights[place]!)} of="part" />
      ))}
    </svg>
  );
}

function Bar({ place, height, of }: { place: number; height: number; of: 'whole' | 'part' }) {
  if (height === 0) return null;
  return <rect class={of} x={place * STEP + 1} width={WIDTH} y={HEIGHT - height} height={height} />;
}

function shareOf(part: bigint, whole: bigint, height: number): number {
  return whole === 0n ? 0 : Number((part * BigInt(height)) / whole);
}
