/** `created_at`, as columns and the API's fields are spelled, is `createdAt` in the code. */
export type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name & string;

/** Names of columns and of declared fields alone, so there are few. */
const camelCased = new Map<string, string>();

export function camelCase(name: string): string {
  let renamed = camelCased.get(name);
  if (renamed === undefined) {
    renamed = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelCased.set(name, renamed);
  }
  return renamed;
}

/** A body's fields under their names in the code. One that is null is left out; an object in a field stays as it is. */
export function inCamelCase<Body extends object>(
  body: Body,
): { readonly [Name in keyof Body as CamelCase<Name>]: Body[Name] } {
  const sent = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(sent.map(([name, value]) => [camelCase(name), value])) as never;
}
