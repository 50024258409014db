/**
 * True for a path below one of these, e.g. `/checkout/`. The router takes capital letters for small ones, so a decision
 * by path must as well.
 * @param beginnings in small letters
 */
export function hasPrefix(path: string, beginnings: readonly string[]): boolean {
  const small = path.toLowerCase();
  return beginnings.some((beginning) => small.startsWith(beginning));
}
