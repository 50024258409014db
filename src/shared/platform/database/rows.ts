import type { Page } from '../../kernel/page.js';

/** A row with the columns of `T`, of which those of optional fields are NULL where the field is absent. */
export type RowOf<T> = {
  [Field in keyof T]-?: object extends Pick<T, Field> ? NonNullable<T[Field]> | null : T[Field];
};

/** The row without its columns that are NULL. */
export function withoutNulls<T>(row: RowOf<T>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

/** A row of a page beside the length of the whole list; the one row of an empty page has the length alone. */
export type PageRow<Item> = { total: number } & (Item | { id: null });

/** @param rows at least one, by a left join from the length to the page */
export function pageFrom<Item extends { id: string }>(rows: readonly PageRow<Item>[]): Page<Item> {
  const items = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as unknown as Item]));
  return { items, total: rows[0]?.total ?? 0 };
}

/** A value as the JSON of a statement's parameter: `bigint`, which JSON does not have, is text. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each));
}
