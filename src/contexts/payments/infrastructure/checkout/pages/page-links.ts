import { opensWallet } from '../../../../../shared/web/wallet-link.js';
import type { PageSelection } from './checkout-page-model.js';

/** @returns undefined unless it is an absolute https address */
export function returnHref(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return parsed.protocol === 'https:' ? parsed.href : undefined;
}

/** @returns undefined unless it is a path of this very origin */
export function ownPath(path: string | undefined): string | undefined {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : undefined;
}

/** @returns undefined for what no wallet is opened by */
export function walletHref(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return opensWallet(protocol) ? href : undefined;
}

/** EIP-681: a transfer of what is still missing, of the native coin as a payment's own value. */
export function transferUri(selection: PageSelection): string {
  const { token, chainId, address, missingUnits } = selection;
  if (token === undefined) return `ethereum:${address}@${chainId}?value=${missingUnits}`;
  return `ethereum:${token}@${chainId}/transfer?address=${address}&uint256=${missingUnits}`;
}
