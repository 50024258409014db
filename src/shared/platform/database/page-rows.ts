import type { Page } from '../../kernel/page.js';

/** A row of a page beside the length of the whole list; the one row of an empty page has the length alone. */
export type PageRow<Item> = { total: number } & (Item | { id: null });

/** @param rows at least one, by a left join from the length to the page */
export function pageFrom<Item extends { id: string }>(rows: readonly PageRow<Item>[]): Page<Item> {
  const items = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as unknown as Item]));
  return { items, total: rows[0]?.total ?? 0 };
}
