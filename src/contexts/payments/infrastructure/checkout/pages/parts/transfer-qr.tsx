import type { VNode } from 'preact';
import type { PageSelection } from '../checkout-page-model.js';
import type { PageView } from '../page-view.js';
import { qrImage } from '../../../../../../shared/web/qr/qr-code.js';
import { QrPicture } from '../../../../../../shared/web/qr/qr-picture.js';
import { shownAsset } from '../../../../../../shared/web/formatting/shown-amounts.js';

/** The EIP-681 code of what is missing. */
export function TransferQr({ model, text }: PageView): VNode | null {
  const { selected } = model;
  const image = selected && qrImage(transferUri(selected));
  if (selected === undefined || image === undefined) return null;
  const amount = shownAsset(selected.missingAmount, selected.symbol);
  return <QrPicture image={image} label={text.transferQr(amount, selected.networkName)} />;
}

/** EIP-681: a transfer of what is still missing, of the native coin as a payment's own value. */
export function transferUri(selection: PageSelection): string {
  const { token, chainId, address, missingUnits } = selection;
  if (token === undefined) return `ethereum:${address}@${chainId}?value=${missingUnits}`;
  return `ethereum:${token}@${chainId}/transfer?address=${address}&uint256=${missingUnits}`;
}
