/** URL schemes that execute code, read files or send the URL unencrypted. None of them opens a wallet. */
const FORBIDDEN_SCHEMES = [
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'filesystem:',
  'view-source:',
  'about:',
  'http:',
  'ftp:',
  'ws:',
  'wss:',
];

/** True for https and the URL schemes of wallets. @param protocol value of `URL.protocol`: lower case, with a colon */
export function isWalletProtocol(protocol: string): boolean {
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) && !FORBIDDEN_SCHEMES.includes(protocol);
}

/** @returns the URL; undefined if its scheme is not one that wallets use */
export function walletHref(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return isWalletProtocol(protocol) ? href : undefined;
}

/** @returns the URL; undefined unless it is absolute and https */
export function httpsHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return parsed.protocol === 'https:' ? parsed.href : undefined;
}

/** @returns the path; undefined unless it is on this origin */
export function sameOriginPath(path: string | undefined): string | undefined {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : undefined;
}
