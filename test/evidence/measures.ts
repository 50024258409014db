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

/** Median and spread. */
export function shown(values: readonly number[], digits = 2): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}
