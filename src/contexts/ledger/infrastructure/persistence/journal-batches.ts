/** How many records a statement has looked at, and the last of their numbers: in each of its rows, of which there is one at least. */
export interface Looked {
  readonly records: number;
  readonly last: number | null;
}

/**
 * The rows about the records numbered above `low` up to `high`, by statements that look at `size` records each.
 * @param read reads the next records above a number
 */
export async function* batchesOf<Row extends Looked>(
  read: (above: number) => Promise<Row[]>,
  { low, high, size }: { readonly low: number; readonly high: number; readonly size: number },
): AsyncGenerator<readonly Row[], void> {
  for (let above: number | null = low; above !== null && above < high;) {
    const rows: Row[] = await read(above);
    yield rows;
    const { records, last } = rows[0]!;
    above = records === size ? last : null;
  }
}
