/** RFC 6265 section 4.1.1, without quotes, which none of this service's cookies has. */
const COOKIE_VALUE = /^[!#-+\--:<-[\]-~]*$/;
/** Longer than any of this service's cookies. */
const LONGEST = 256;

/**
 * The values of all cookies of that name, in the order sent. Malformed and oversized ones are left out: they are not
 * this service's.
 * @param header `Cookie` as it was sent
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
