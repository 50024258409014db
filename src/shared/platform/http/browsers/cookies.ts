/** A cookie value by RFC 6265 section 4.1.1, except quoted values, which this service never sets. */
const COOKIE_VALUE = /^[!#-+\--:<-[\]-~]*$/;
const MAX_COOKIE_LENGTH = 256;

/** Returns all cookies with this name, in the order sent. Ignores malformed and oversized ones. */
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
