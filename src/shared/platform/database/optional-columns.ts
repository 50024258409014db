/** A row with the columns of `T`, of which those of optional fields are NULL where the field is absent. */
export type RowOf<T> = {
  [Field in keyof T]-?: object extends Pick<T, Field> ? NonNullable<T[Field]> | null : T[Field];
};

/** The row without its columns that are NULL. */
export function withoutNulls<T>(row: RowOf<T>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}
