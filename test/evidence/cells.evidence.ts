import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { ASSUMED, bytesAtRate, bytesOfPayment, coresAtRate } from './cells/cell-figures.js';
import { CellModel } from './cells/cell-model.js';
import { quantile } from './measures.js';

/** The long form is `npm run evidence -- cells`; its figures stand in docs/operating/scaling.md. */
const LONG = process.env['EVIDENCE'] === 'long';
const SEED = Number(process.env['SEED'] ?? 1);
const [ORGANIZATIONS, MONTHS] = LONG ? [20_000, 60] : [600, 24];
/** A cell is as large as what is restored in so many hours. */
const RESTORE_HOURS = LONG ? [1, 4, 12] : [1];

const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

function lived(hours: number): CellModel {
  const model = new CellModel(new SeededRandom(SEED), hours * 3_600 * ASSUMED.restoredPerSecond);
  for (let month = 0; month < MONTHS; month += 1) model.month(Math.round(ORGANIZATIONS / MONTHS));
  return model;
}

function row(hours: number, model: CellModel): string {
  const rates = model.cells.map(({ rate }) => rate);
  const all = rates.reduce((sum, rate) => sum + rate, 0);
  const fills = rates.map((rate) => model.fill(rate));
  const moved = model.moves.map(({ bytes }) => bytes);
  const largest = Math.max(0, ...moved);
  const alone = model.cells.filter((cell) => cell.organizations.length === 1).length;
  const organizations = model.cells.map((cell) => cell.organizations.length);
  return [
    hours,
    model.cells.length,
    `${all.toFixed(0)} a second`,
    `${quantile(rates, 0.5).toFixed(1)} (${percent(quantile(fills, 0.5))})`,
    `${Math.max(...rates).toFixed(1)} (${percent(Math.max(...fills))})`,
    coresAtRate(Math.max(...rates)).toFixed(2),
    `${percent(1 / model.cells.length)}, ${percent(Math.max(...rates) / all)}`,
    percent(Math.max(...organizations) / organizations.reduce((sum, count) => sum + count, 0)),
    alone,
    `${model.moves.length} (${(moved.reduce((sum, bytes) => sum + bytes, 0) / 1e12).toFixed(1)} TB)`,
    `${(largest / ASSUMED.copiedPerSecond / 3_600).toFixed(1)} h`,
  ].join(' | ');
}

describe('Cells that fill with organizations of heavy-tailed sizes', () => {
  it('stay below their limits by moves, but where one organization alone is above', () => {
    const lines = RESTORE_HOURS.map((hours) => {
      const model = lived(hours);
      const organizations = model.cells.map((cell) => cell.organizations.length);
      const ids = model.cells.flatMap((cell) => cell.organizations.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(MONTHS * Math.round(ORGANIZATIONS / MONTHS));
      const shared = model.cells.filter((cell) => cell.organizations.length > 1);
      for (const { rate } of shared) expect(model.fill(rate)).toBeLessThanOrEqual(0.9);
      expect(organizations.every((count) => count > 0)).toBe(true);
      return row(hours, model);
    });
    const heads =
      'hours | cells | payments | median cell (fill) | fullest (fill) | its cores at peak | payments lost with one: mean, worst | ' +
      'organizations, worst | cells of one | moves | longest copy';
    process.stdout.write(
      `SEED=${SEED}: ${ORGANIZATIONS} organizations in ${MONTHS} months, ${bytesOfPayment} bytes a payment, ` +
        `${(bytesAtRate(1) / 1e12).toFixed(2)} TB for one a second, ${coresAtRate(1).toFixed(3)} cores at its peak.\n` +
        `${heads}\n${lines.join('\n')}\n`,
    );
  });
});
