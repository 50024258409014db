/** RFC 6265 section 4.1.1, without quotes, which this service's cookies never have. */
const COOKIE_VALUE = /^[!#-+\--:<-[\]-~]*$/;
/** Longer than any of this service's cookies. */
const LONGEST = 256;

/**
 * Returns the values of all cookies with that name, in the order sent. Ignores malformed and oversized ones, which this
 * service never sets.
 * @param header the `Cookie` header as sent
 */
export function cookiesNamed(name: string, header: string | undefined): string[] {
  if (header === undefined) return [];
  const start = `${name}=`;
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
    .filter((value) => value.length <= LONGEST && COOKIE_VALUE.test(value));
}
