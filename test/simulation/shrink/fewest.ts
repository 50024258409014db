/**
 * Leaves out halves, quarters and so on down to single items, the last ones first, wherever the rest still does it.
 * @param items do it together
 * @returns items none of which could be left out when its turn came
 */
export async function fewest<T>(
  items: readonly T[],
  doesIt: (left: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items;
  for (let size = Math.ceil(items.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let end = left.length; end > 0; end -= size) {
      const without = [...left.slice(0, Math.max(0, end - size)), ...left.slice(end)];
      if (await doesIt(without)) left = without;
    }
  return left;
}
