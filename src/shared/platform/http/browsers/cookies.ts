/** A cookie value by RFC 6265 section 4.1.1, except quoted values, which this service never sets. */
const COOKIE_VALUE = /^[!#-+\--:<-[\]-~]*$/;
/** Longer than any cookie value that this service sets. */
const MAX_COOKIE_LENGTH = 256;

/**
 * Returns the values of all cookies with this name, in the order sent. Ignores malformed and oversized cookies, because
 * this service never sets any.
 * @param header the `Cookie` header as received
 */
export function cookiesNamed(name: string, header: string | undefined): string[] {
  if (header === undefined) return [];
  const start = `${name}=`;
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
    .filter((value) => value.length <= MAX_COOKIE_LENGTH && COOKIE_VALUE.test(value));
}
