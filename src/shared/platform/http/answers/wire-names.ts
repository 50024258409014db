/** `created_at` on the wire is `createdAt` inside. */
export type InsideName<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<InsideName<Tail>>}`
  : Name & string;

export function insideName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The fields of a validated body by their names inside. A field that is null is left out, like one that was not sent; an
 * object in a field stays as it is.
 */
export function inputOf<Body extends object>(
  body: Body,
): { readonly [Name in keyof Body as InsideName<Name>]: Body[Name] } {
  const fields = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(fields.map(([name, value]) => [insideName(name), value])) as never;
}
