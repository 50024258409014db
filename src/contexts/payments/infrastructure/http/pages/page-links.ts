import type { PageSelection } from './checkout-page-model.js';

/** Schemes that run, read or send in clear what they are given. */
const NEVER_LINKED = [
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

/** @returns undefined unless it is an absolute https address */
export function returnHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return parsed.protocol === 'https:' ? parsed.href : undefined;
}

/** Wallets are opened by https or by a scheme of their own. @returns undefined for any scheme that is neither */
export function walletHref(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) && !NEVER_LINKED.includes(protocol) ? href : undefined;
}

/** EIP-681: a transfer of what is still missing. */
export function transferUri(selection: PageSelection): string {
  const { token, chainId, address, missingUnits } = selection;
  return `ethereum:${token}@${chainId}/transfer?address=${address}&uint256=${missingUnits}`;
}
