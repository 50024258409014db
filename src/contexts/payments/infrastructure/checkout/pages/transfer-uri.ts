import type { PageSelection } from './checkout-page-model.js';

/** EIP-681: a transfer of what is still missing, of the native coin as a payment's own value. */
export function transferUri(selection: PageSelection): string {
  const { token, chainId, address, missingUnits } = selection;
  if (token === undefined) return `ethereum:${address}@${chainId}?value=${missingUnits}`;
  return `ethereum:${token}@${chainId}/transfer?address=${address}&uint256=${missingUnits}`;
}
