import type { Page } from '../../kernel/page.js';

export type RowOf<T> = {
  [Field in keyof T]-?: object extends Pick<T, Field> ? NonNullable<T[Field]> | null : T[Field];
};

export function withoutNulls<T>(row: RowOf<T>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

/** An empty page has one row that contains only the total. */
export type PageRow<Item> = { total: number } & (Item | { id: null });

export function pageFrom<Item extends { id: string }>(rows: readonly PageRow<Item>[]): Page<Item> {
  const items = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as unknown as Item]));
  return { items, total: rows[0]?.total ?? 0 };
}

/** Serializes a value for a JSON column. A `bigint` becomes a string, because JSON cannot represent it exactly. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each));
}
