/**
 * Whether a path lies below one of these, e.g. `/checkout/`. The router takes capital letters for small ones, so what is
 * decided by a path must as well.
 * @param beginnings in small letters
 */
export function hasPrefix(path: string, beginnings: readonly string[]): boolean {
  const small = path.toLowerCase();
  return beginnings.some((beginning) => small.startsWith(beginning));
}
