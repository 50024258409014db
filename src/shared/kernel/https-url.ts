const LONGEST = 2048;

/**
 * An absolute `https://` address without user name or password, at most 2,048 characters; undefined for anything
 * else. White space, backslashes and unprintable characters are refused, because URL parsers drop or rewrite them.
 */
export function readHttpsUrl(text: string): URL | undefined {
  if (text.length > LONGEST || !/^https:\/\/[^/\s\\\p{C}][^\s\\\p{C}]*$/iu.test(text)) return undefined;
  // An empty user name leaves no trace in the parsed address.
  if (/^https:\/\/[^/?#]*@/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.hostname === '' ? undefined : url;
}
