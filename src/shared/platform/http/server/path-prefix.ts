/** True for a path below one of these, e.g. `/checkout/`. Case-sensitive, as the router is. */
export function hasPrefix(path: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => path.startsWith(beginning));
}
