import type { Request } from 'express';

/** The part of a layer of Express's router that says which methods a path takes. */
interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
}

/**
 * The methods of the routes that match the path, as the header `Allow` lists them (RFC 9110, section 10.2.1).
 * @returns an empty list if no route matches the path, or if one takes the method of the request
 */
export function allowedMethods({ app, method, path }: Request): string[] {
  const methods = new Set<string>();
  for (const layer of app.router.stack as unknown as RouteLayer[])
    if (layer.route !== undefined && layer.match(path))
      for (const name of Object.keys(layer.route.methods)) methods.add(name.toUpperCase());
  if (methods.has('GET')) methods.add('HEAD');
  return methods.has(method) ? [] : [...methods].sort();
}
