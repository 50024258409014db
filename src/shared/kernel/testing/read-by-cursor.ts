import type { Page, PageRequest } from '../page.js';

/** Reads all pages of a list by cursor and returns their items. @param between runs after each page except the last */
export async function readByCursor<T>(
  read: (request: PageRequest) => Page<T> | Promise<Page<T>>,
  pageSize = 1,
  between: () => void | Promise<void> = () => undefined,
): Promise<T[]> {
  const items: T[] = [];
  let page = await read({ page: 1, pageSize });
  const seen = new Set<string>();
  for (; page.next !== undefined; page = await read({ page: 1, pageSize, after: page.next })) {
    if (seen.has(page.next)) throw new Error('The list leads back to a cursor that was read before.');
    seen.add(page.next);
    items.push(...page.items);
    await between();
  }
  return [...items, ...page.items];
}
