/**
 * In their order, as many together as there is room for. One that is too large for itself is a batch of its own, which
 * simulation will refuse.
 * @param costOf gas of one, alone in a transaction: more than it costs among others
 */
export function cutIntoBatches<T>(items: readonly T[], costOf: (item: T) => bigint, room: bigint): T[][] {
  const batches: T[][] = [];
  let left = 0n;
  for (const item of items) {
    const cost = costOf(item);
    const current = batches.at(-1);
    if (current === undefined || cost > left) {
      batches.push([item]);
      left = room - cost;
    } else {
      current.push(item);
      left -= cost;
    }
  }
  return batches;
}
