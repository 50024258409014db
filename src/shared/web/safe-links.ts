/** Schemes that run, read or send their address in clear: no wallet is opened by one of them. */
const NEVER_OPENED = [
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

/**
 * Wallets are opened by https or by a scheme of their own.
 * @param protocol the value of `URL.protocol`, in small letters and with its colon
 */
export function opensWallet(protocol: string): boolean {
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) && !NEVER_OPENED.includes(protocol);
}

/** @returns undefined for an address that opens no wallet */
export function walletHref(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return opensWallet(protocol) ? href : undefined;
}

/** @returns undefined unless it is an absolute https address */
export function httpsHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return parsed.protocol === 'https:' ? parsed.href : undefined;
}

/** @returns undefined unless it is a path of this very origin */
export function ownPath(path: string | undefined): string | undefined {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : undefined;
}
