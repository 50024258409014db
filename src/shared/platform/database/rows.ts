import type { Page } from '../../kernel/page.js';

/** A row with the columns of `T`. Columns of optional fields are NULL if the field is absent. */
export type RowOf<T> = {
  [Field in keyof T]-?: object extends Pick<T, Field> ? NonNullable<T[Field]> | null : T[Field];
};

/** Removes NULL columns from the row. */
export function withoutNulls<T>(row: RowOf<T>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

/** A row of a page together with the length of the complete list. An empty page has one row with only the length. */
export type PageRow<Item> = { total: number } & (Item | { id: null });

/** @param rows at least one, from a left join of the length to the page */
export function pageFrom<Item extends { id: string }>(rows: readonly PageRow<Item>[]): Page<Item> {
  const items = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as unknown as Item]));
  return { items, total: rows[0]?.total ?? 0 };
}

/** Serializes a JSON parameter. A `bigint`, which JSON does not have, becomes a string. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each));
}
