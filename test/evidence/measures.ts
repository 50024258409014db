/** How much is measured: a little in tests, more for the table of docs/performance.md, and all by `npm run evidence`. */
export const FORM = (process.env['EVIDENCE'] ?? 'short') as 'short' | 'figures' | 'long';

/** The machine's monotonic clock, the same for every process, in milliseconds. */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** Measures by turns, A B B A. @returns each pair's ratio of B to A */
export async function paired(
  pairs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<number[]> {
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first, second, third, fourth] = [await a(), await b(), await b(), await a()];
    ratios.push((second + third) / (first + fourth));
  }
  return ratios;
}

/** Measures by turns, A B B A. @returns of each pair, how much more B is than A */
export async function pairedDifferences(
  pairs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<number[]> {
  const differences: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first, second, third, fourth] = [await a(), await b(), await b(), await a()];
    differences.push((second + third - first - fourth) / 2);
  }
  return differences;
}

export interface Comparison {
  /** The ratio of ours to the limit, for each pair. */
  readonly ratios: number[];
  /** The ratio of the limit's second measure to its first, for each pair. */
  readonly noise: number[];
  readonly limits: number[];
  readonly ours: number[];
}

/** Compares like `paired`, with what each measured and the limit beside itself. */
export async function comparedWith(
  pairs: number,
  limit: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<Comparison> {
  const measured: Record<'limits' | 'ours', number[]> = { limits: [], ours: [] };
  const noted = async (work: () => Promise<number>, into: number[]) => {
    const value = await work();
    into.push(value);
    return value;
  };
  const ratios = await paired(
    pairs,
    () => noted(limit, measured.limits),
    () => noted(ours, measured.ours),
  );
  const noise = ratios.map((_, pair) => measured.limits[2 * pair + 1]! / measured.limits[2 * pair]!);
  return { ratios, noise, ...measured };
}

export function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

export function shown(values: readonly number[], digits = 2): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}
