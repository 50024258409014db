/** Schemes that run, read or send in clear what they are given: no wallet is opened by one of them. */
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
 * @param protocol as `URL.protocol` gives it, in small letters and with its colon
 */
export function opensWallet(protocol: string): boolean {
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) && !NEVER_OPENED.includes(protocol);
}
