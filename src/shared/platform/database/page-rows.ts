import type { Page } from '../../kernel/page.js';

/** A row of a page beside the length of the whole list; the one row of an empty page has the length alone. */
export type PageRow<Item> = { total: number } & (Item | { id: null });

/** A row without its columns that are null, as a type with optional fields describes it. */
export function withoutNulls<T extends object>(row: { [Field in keyof T]: T[Field] | null }): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

/** @param rows at least one, by a left join from the length to the page */
export function pageFrom<Item extends { id: string }>(rows: readonly PageRow<Item>[]): Page<Item> {
  const items = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as unknown as Item]));
  return { items, total: rows[0]?.total ?? 0 };
}
