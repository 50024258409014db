/** Schemes that execute code, read files or send their URL unencrypted. They never open a wallet. */
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

/** Accepts https and wallet schemes. @param protocol value of `URL.protocol`: lower case, with a colon */
export function opensWallet(protocol: string): boolean {
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) && !NEVER_OPENED.includes(protocol);
}

/** @returns undefined for a URL that opens no wallet */
export function walletHref(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return opensWallet(protocol) ? href : undefined;
}

/** @returns undefined unless the URL is absolute and https */
export function httpsHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return parsed.protocol === 'https:' ? parsed.href : undefined;
}

/** @returns undefined unless the path is on this origin */
export function ownPath(path: string | undefined): string | undefined {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : undefined;
}
