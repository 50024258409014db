import { appendFileSync } from 'node:fs';
import { median } from './measures.js';

/** The file that collects the figures of `npm run figures`, one JSON value a line. */
const FILE = process.env['FIGURES'];

/** A row of the table in docs/performance.md. */
export interface Figure {
  /** Such as "create payment requests". */
  readonly work: string;
  /** Such as "310 per second". */
  readonly result: string;
  /** The same work without everything that this service adds, measured in the same run, such as "bare server: 480 per second". */
  readonly limit?: string;
  /** The service's rate divided by the limit's, for each pair of measurements. */
  readonly ratios?: readonly number[];
  /** The smallest and greatest of the measured values, in the result's unit, if there are no ratios. */
  readonly spread?: readonly [number, number];
  /** `npm run evidence -- <measurement>` repeats the row. */
  readonly measurement: string;
}

export function publishFigure(figure: Figure): void {
  if (FILE !== undefined) appendFileSync(FILE, `${JSON.stringify(figure)}\n`);
}

/** @returns the median, with the unit's digits and separated thousands */
export function typical(values: readonly number[], digits = 0): string {
  return median(values).toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
