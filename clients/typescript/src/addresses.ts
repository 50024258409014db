const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** @returns what is wrong with the URL of the service, as the end of a sentence; undefined where it is good */
export function faultOfBaseUrl(value: unknown): string | undefined {
  const isUrl =
    typeof value === 'string' && /^https?:\/\/[^\s?#/\\][^\s?#\\]*$/i.test(value) && URL.canParse(value);
  if (!isUrl || new URL(value).port === '0') return 'must be an absolute http or https URL';
  if (/^[^/]*\/\/[^/]*@/.test(value)) return 'must not have a user name or password';
  const { protocol, hostname } = new URL(value);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return undefined;
  return 'must begin with https://; http is for this machine only (localhost, 127.0.0.1 or [::1])';
}

/**
 * Refuses ids that would change the path of a call.
 * @param path of the reference, with its placeholders
 * @throws TypeError
 */
export function checkPath(path: string, values: Readonly<Record<string, unknown>> = {}): void {
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    const value = values[name!];
    if (typeof value !== 'string' || /^\.*$/.test(value))
      throw new TypeError(`${name} must be an id for ${path}: not empty, and not only dots.`);
  }
}
