const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** @returns the fault of a base URL, as the end of a sentence; undefined if the URL is valid */
export function faultOfBaseUrl(value: unknown): string | undefined {
  const isUrl =
    typeof value === 'string' && /^https?:\/\/[^\s?#/\\][^\s?#\\]*$/i.test(value) && URL.canParse(value);
  if (!isUrl || new URL(value).port === '0') return 'must be an absolute http or https URL';
  if (/^[^/]*\/\/[^/]*@/.test(value)) return 'must not have a user name or password';
  const { protocol, hostname } = new URL(value);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return undefined;
  return 'must begin with https://, or with http:// for this machine (localhost, 127.0.0.1 or [::1])';
}

/**
 * Rejects ids that would change the path of a call.
 * @param path template from the API reference, such as `/v1/account/{accountID}`
 * @throws TypeError
 */
export function checkPath(path: string, values: Readonly<Record<string, unknown>> = {}): void {
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    const value = values[name!];
    if (typeof value !== 'string' || /^\.*$/.test(value))
      throw new TypeError(`${name} must be an id, not an empty string and not only dots (path ${path}).`);
  }
}
